// Sends a signal to every process of a container, run on its node with the node's processes in sight.
//   node signal.mjs CONTAINER_ID SIGNAL
import { readdirSync, readFileSync } from 'node:fs';

const [, , container, signal] = process.argv;
const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && belongs(name));
for (const pid of pids) process.kill(Number(pid), signal);
console.log(`${signal} to ${pids.length} processes`);
process.exit(pids.length > 0 ? 0 : 1);

function belongs(pid) {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(container);
  } catch {
    return false;
  }
}
