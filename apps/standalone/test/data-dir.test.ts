import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { StartupError } from '@parley/service-kit';
import { useDataDir } from '#src/data-dir.js';

const credentials = {
  baseUrl: 'http://localhost',
  organizationId: '7b6f4a52-0000-4000-8000-00000000abcd',
  apiKey: 'x',
  agentId: '7b6f4a52-0000-4000-8000-00000000abce',
};

describe('what standalone keeps in DATA_DIR', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777;

  it('is a key and credentials that nobody else can read', async () => {
    const dataDir = await useDataDir(folder);
    const key = await dataDir.secretsKey();
    expect(Buffer.from(key, 'base64')).to.have.length(32);
    expect(await dataDir.secretsKey()).to.equal(key);
    expect(await dataDir.readCredentials()).to.equal(undefined);
    await dataDir.writeCredentials(credentials);
    expect(await dataDir.readCredentials()).to.deep.equal(credentials);
    expect([await modeOf('secrets.key'), await modeOf('credentials.json')]).to.deep.equal([
      0o600, 0o600,
    ]);
  });

  for (const text of ['{', '{}', '"text"', JSON.stringify({ ...credentials, agentId: 'one' })])
    it(`is not taken for credentials: ${text.slice(0, 20)}`, async () => {
      await writeFile(join(folder, 'credentials.json'), text);
      const failure = await failureOf((await useDataDir(folder)).readCredentials());
      expect(failure)
        .to.be.instanceOf(StartupError)
        .with.property('message')
        .that.matches(/credentials\.json does not contain credentials. Repair it, or delete it/);
    });

  it('is not taken for a key if it is too short', async () => {
    await writeFile(join(folder, 'secrets.key'), 'short');
    const failure = await failureOf((await useDataDir(folder)).secretsKey());
    expect(String(failure)).to.match(/secrets\.key does not contain a 32-byte key: restore it/);
  });

  it('needs a folder, or a place where one can be made', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(String(await failureOf(useDataDir(file)))).to.match(
      /DATA_DIR .* cannot be used: it is a file, not a folder$/,
    );
    expect(String(await failureOf(useDataDir('/proc/parley')))).to.match(
      /DATA_DIR .* cannot be used: the name is not valid for a folder$/,
    );
  });
});
