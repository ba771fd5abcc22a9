// The clock of one process is wrong by ten minutes, from one moment to the next (libfaketime).
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@parley/testkit';

const library = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find((path) => existsSync(path));

export const clock = Object.fromEntries(
  [
    ['gateway', ({ gateways }) => gateways],
    ['api', ({ apis }) => apis],
    ['worker', ({ workers }) => workers],
  ].flatMap(([kind, choose]) => ['+600', '-600'].map((step) => row(kind, choose, step))),
);

function row(kind, choose, step) {
  let victim;
  let file;
  const scenario = {
    what: `the clock of one ${kind} steps by ${step} s`,
    needs: library ? undefined : 'libfaketime',
    seconds: 8,
    async prepare({ stage, random }) {
      victim = random.pick(choose(stage.cluster));
      file = join(await temporaryFolder(), 'clock');
      await writeFile(file, '+0');
      await stage.replace(victim, {
        ...{ LD_PRELOAD: library, FAKETIME_TIMESTAMP_FILE: file },
        ...{ FAKETIME_CACHE_DURATION: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      });
    },
    async start() {
      await writeFile(file, step);
      return { stop: () => writeFile(file, '+0') };
    },
    restore: ({ stage }) => stage.replace(victim, undefined),
  };
  return [`${kind} clock ${step} s`, scenario];
}
