import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isRunning } from '@parley/embedded';
import type { ReaperMessage, Remains } from './reaper.js';
import { waitFor } from './wait-for.js';

const left = new Map<string, Remains>();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as ReaperMessage;
  if ('entrust' in message) left.set(JSON.stringify(message.entrust), message.entrust);
  else left.delete(JSON.stringify(message.release));
}
for (const remains of [...left.values()].reverse()) await remove(remains).catch(() => undefined);

async function remove(remains: Remains): Promise<void> {
  if ('folder' in remains) return rm(remains.folder, { recursive: true, force: true });
  process.kill(remains.pid, remains.signal);
  await waitFor(async () => !(await isRunning(remains.pid)), { what: 'its end', timeoutMs: 5_000 });
}
