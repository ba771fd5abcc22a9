/** Tells the benchmark where this process listens, and on request how much CPU it has used. */
export function report(port) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const megabytes = Math.round(process.memoryUsage().rss / 1024 / 1024);
    process.send({ kind: 'cpu', microseconds: user + system, megabytes });
  });
  process.send({ kind: 'port', port });
}
