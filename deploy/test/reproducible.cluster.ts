import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '@parley/testkit';

const program = join(import.meta.dirname, '../../scripts/bundle.mjs');

describe('two builds of the same sources', function () {
  this.timeout(120_000);

  const bundled = async () => {
    const folder = join(await temporaryFolder(), 'dist');
    await promisify(execFile)(process.execPath, [program, folder]);
    return readdirSync(folder)
      .sort()
      .map((name) => [name, sha256(readFileSync(join(folder, name)))]);
  };

  it('bundle the apps into the same bytes', async () => {
    const first = await bundled();
    expect(first.map(([name]) => name)).to.include.members(['api.js', 'realtime-gateway.js']);
    expect(await bundled()).to.deep.equal(first);
  });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
