import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../../..');

describe('the contract of @parley/client/server', () => {
  it('is that of the service, with a method for each operation; npm run contract writes it', () => {
    const check = [join(root, 'scripts/generate-client.mjs'), '--check'];
    const { status, stderr } = spawnSync(process.execPath, check, { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});
