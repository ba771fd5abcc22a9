import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { appProgram, runNode, temporaryFolder, type RunningProgram } from '@parley/testkit';

type Credentials = { baseUrl: string; organizationId: string; apiKey: string };

describe('a secrets key that standalone made', function () {
  this.timeout(120_000);

  it('is replaced as deploy/README.md tells', async () => {
    const dataDir = join(await temporaryFolder(), 'data');
    const keyFile = join(dataDir, 'secrets.key');
    const env = { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: dataDir };
    const start = async (keys: Record<string, string> = {}): Promise<RunningProgram> => {
      const program = runNode([appProgram('standalone')], {
        env: { ...env, ...keys },
      });
      await program.line(/Parley is ready/);
      return program;
    };
    const stop = async (program: RunningProgram) => {
      program.child.kill('SIGINT');
      expect(await program.ended).to.equal(0);
    };
    /** The second time, the answer that was kept has to be read. */
    const createTask = async (): Promise<string> => {
      const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
      const { baseUrl, organizationId, apiKey } = JSON.parse(text) as Credentials;
      const answer = await fetch(`${baseUrl}/api/v1/Task`, {
        method: 'POST',
        headers: {
          'X-Api-Key': apiKey,
          'X-Org-Id': organizationId,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'once',
        },
        body: '{"title":"Once"}',
      });
      expect(answer.status).to.equal(201);
      return ((await answer.json()) as { id: string }).id;
    };

    const first = await start();
    const taskId = await createTask();
    await stop(first);

    const former = { SECRETS_KEY_PREVIOUS: (await readFile(keyFile, 'utf8')).trim() };
    await rm(keyFile);
    const second = await start(former);
    expect(await createTask()).to.equal(taskId);
    const admin = runNode([appProgram('admin'), 'secrets', 'reencrypt', '--json'], {
      env: { DATA_DIR: dataDir, ...former },
    });
    expect(await admin.ended, admin.output).to.equal(0);
    expect(JSON.parse(admin.output)).to.have.nested.property('counts.answer.resealed', 1);
    await stop(second);

    const third = await start();
    expect(await createTask()).to.equal(taskId);
    await stop(third);
  });
});
