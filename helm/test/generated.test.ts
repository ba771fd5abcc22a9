import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { root } from './chart.js';

describe('the generated parts of the chart', () => {
  it('are up to date; npm run docs writes them', () => {
    const check = [join(root, 'scripts/generate-chart.mjs'), '--check'];
    const { status, stderr } = spawnSync(process.execPath, check, { encoding: 'utf8' });
    expect(status, stderr).to.equal(0);
  });
});
