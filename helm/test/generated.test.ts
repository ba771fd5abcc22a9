import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './chart.js';

describe('the generated parts of the chart', () => {
  it('are up to date; npm run docs writes them', () => {
    execFileSync(process.execPath, [join(root, 'scripts/generate-chart.mjs'), '--check'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  });
});
