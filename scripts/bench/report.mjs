/** Sends the benchmark the port of this process, and its CPU usage on request. */
export function report(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const megabytes = Math.round(process.memoryUsage().rss / 1024 / 1024);
    process.send({ kind: 'cpu', microseconds: user + system, megabytes });
  });
  process.send({ kind: 'port', port });
}
