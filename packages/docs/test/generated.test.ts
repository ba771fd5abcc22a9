import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../../..');

describe('the tables in the README and the guides', () => {
  it('are as their sources are; npm run docs writes them', () => {
    const check = [join(root, 'scripts/generate-docs.mjs'), '--check'];
    const { status, stderr } = spawnSync(process.execPath, check, { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});
