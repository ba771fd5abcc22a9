import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type ChildMocha = {
  /** Resolves with the first line that starts so. */
  line(start: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; output: string }>;
};

const mocha = join(
  dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
  'bin/mocha.js',
);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Runs one fixture under a mocha of its own, with the testkit's hooks, as the real one has. */
export function runChildMocha(
  fixture: string,
  env: Record<string, string>,
  ...flags: string[]
): ChildMocha {
  const hooks = ['--require', here('../dist/mocha-hooks.js'), '--timeout', '120000'];
  const args = ['--no-config', ...hooks, ...flags, here(`./fixtures/${fixture}.js`)];
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [mocha, ...args], {
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  const found = (start: string) => output.split('\n').find((line) => line.trim().startsWith(start));
  return {
    ended,
    kill: (signal) => void child.kill(signal),
    line: async (start) => {
      for (;;) {
        const line = found(start);
        if (line !== undefined) return line.trim();
        const { code } = await Promise.race([
          ended,
          once(child.stdout, 'data').then(() => ({ code: undefined })),
        ]);
        if (code !== undefined && found(start) === undefined) throw new Error(output);
      }
    },
  };
}
