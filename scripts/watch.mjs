import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bundles, compiler } from './build.mjs';

/** Rebuilds a project on change, and restarts a Node program after each successful build. */
export function runAfterEachBuild(project, program) {
  const builder = spawn(
    process.execPath,
    [compiler(), '-b', '--watch', '--preserveWatchOutput', project],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let running;
  let stopping = false;
  let restart = Promise.resolve();

  const startAgain = async () => {
    await end(running);
    for (const bundle of bundles)
      await gone(spawn(process.execPath, [bundle], { stdio: 'inherit' }));
    if (!stopping) running = spawn(process.execPath, program, { stdio: 'inherit' });
  };
  const stop = async (code) => {
    if (stopping) return;
    stopping = true;
    builder.kill();
    await end(running);
    process.exit(code);
  };

  createInterface({ input: builder.stdout }).on('line', (line) => {
    console.log(line);
    if (/Found 0 errors/.test(line)) restart = restart.then(startAgain);
  });
  builder.on('exit', (code) => void stop(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop(0));
}

function end(child) {
  if (!child || child.exitCode !== null) return Promise.resolve();
  const ended = gone(child);
  child.kill('SIGTERM');
  return ended;
}

function gone(child) {
  return new Promise((resolve) => child.once('exit', resolve));
}
