// Processes of the benchmark: they report with messages, and end with this one.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const reports = new WeakMap();

/** Starts a process that reports to this one; its messages are kept until they are read. */
export function start(name, args = []) {
  const child = fork(join(import.meta.dirname, `${name}.mjs`), args);
  const heard = { messages: [], ended: false };
  reports.set(child, heard);
  child.on('message', (message) => {
    heard.messages.push(message);
    child.emit('news');
  });
  child.once('exit', () => {
    heard.ended = true;
    child.emit('news');
  });
  return child;
}

export async function next(child, kind) {
  const heard = reports.get(child);
  for (;;) {
    const at = heard.messages.findIndex((message) => message.kind === kind);
    if (at >= 0) return heard.messages.splice(at, 1)[0];
    if (heard.ended) throw new Error('A process of the benchmark ended early.');
    await once(child, 'news');
  }
}

export async function end(child) {
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}
