import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { publint } from 'publint';
import { temporaryFolder } from '@parley/testkit';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..');
const { exports: entries } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};

/** What a customer writes, once with each entry point. */
const consumer = `
import { ParleyError, RealtimeSession, type Message } from '@parley/client';
import { connectAudio, type SessionAudio } from '@parley/client/audio';
import { useRealtimeSession } from '@parley/client/react';
import { Parley, verifyWebhook } from '@parley/client/server';
import '@parley/client/widget';

export async function talk(): Promise<readonly Message[]> {
  const session = await RealtimeSession.connect({
    create: () => fetch('/my/session', { method: 'POST' }).then((answer) => answer.json()),
    tools: { show: { description: 'Shows a page.', execute: ({ page }: { page: string }) => page } },
  });
  const audio: SessionAudio = await connectAudio(session);
  session.on('transcript', ({ text, final }) => void [text.length, final]);
  session.on('approval', (approval) => approval.approve());
  session.on('response.done', (event) => void event['response']);
  session.on('approval.waiting', ({ data }) => void data.timeoutSeconds.toFixed());
  await audio.close();
  return session.messages;
}
export const hooks = useRealtimeSession;
export const server = [Parley, verifyWebhook];
export const isOurs = (error: unknown): boolean => error instanceof ParleyError && error.retry;
`;

describe('the package', () => {
  let tarball: string;
  let project: string;

  before(async function () {
    this.timeout(300_000);
    const folder = await temporaryFolder();
    const env = { ...process.env, npm_config_cache: join(folder, 'cache'), HOME: folder };
    const npm = (args: string[], cwd: string) => run('npm', args, { cwd, env });
    const { stdout } = await npm(['pack', '--json', '--pack-destination', folder], root);
    const [packed] = JSON.parse(stdout) as { filename: string }[];
    tarball = join(folder, packed!.filename);
    project = join(folder, 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    await npm(['install', '--offline', '--no-audit', '--no-fund', tarball], project);
  });

  it('brings no other package along', async () => {
    const installed = await readdir(join(project, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).to.deep.equal(['@parley']);
  });

  it('has nothing that publint would mend', async () => {
    const { buffer } = new Uint8Array(await readFile(tarball));
    const { messages } = await publint({ pack: { tarball: buffer } });
    expect(messages).to.deep.equal([]);
  });

  it('has types that every way of resolving finds', async () => {
    const attw = join(
      dirname(require.resolve('@arethetypeswrong/cli/package.json')),
      'dist/index.js',
    );
    const checked = await run(process.execPath, [attw, '--profile', 'esm-only', tarball]).catch(
      (error: unknown) => error as { code: number; stdout: string },
    );
    expect(checked, checked.stdout).not.to.have.property('code');
  });

  for (const [resolution, module] of [
    ['bundler', 'esnext'],
    ['node16', 'node16'],
  ] as const)
    it(`compiles in strict mode where modules are resolved as ${resolution}`, async () => {
      await mkdir(join(project, 'node_modules/@types'), { recursive: true });
      for (const name of ['react', '@types/react', 'csstype'])
        await link(name, join(project, 'node_modules', name));
      await writeFile(join(project, 'consumer.ts'), consumer);
      const flags = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
      const tsc = [
        require.resolve('typescript/bin/tsc'),
        ...flags,
        '--module',
        module,
        '--moduleResolution',
        resolution,
      ];
      const { stdout } = await run(process.execPath, [...tsc, 'consumer.ts'], {
        cwd: project,
      }).catch((error: unknown) => error as { stdout: string });
      expect(stdout).to.equal('');
    });

  it('runs on Node, every entry that is not for browsers alone', async () => {
    const forNode = Object.keys(entries).filter((entry) =>
      ['.', './server', './audio'].includes(entry),
    );
    const script = `
      for (const entry of ${JSON.stringify(forNode)}) await import(entry.replace('.', '@parley/client'));
      const { RealtimeSession } = await import('@parley/client');
      const path = '/api/v1/Agent/x/realtime?conversationId=x&sessionId=x';
      await RealtimeSession.connect({ create: () => path, baseUrl: 'http://127.0.0.1:9' })
        .catch(({ name, code }) => console.log(name, code));`;
    await writeFile(join(project, 'run.js'), script);
    const { stdout } = await run(process.execPath, ['run.js'], { cwd: project });
    expect(stdout.trim()).to.equal('ParleyError connect-failed');
  });
});

async function link(name: string, to: string): Promise<void> {
  const from = join(dirname(require.resolve(`${name}/package.json`)));
  await symlink(from, to).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  });
}
