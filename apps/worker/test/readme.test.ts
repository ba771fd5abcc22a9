import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { jobsMarkdown } from '#src/jobs.js';

describe('README', () => {
  it('has the table of jobs as it is; npm run docs writes it', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(readme).to.include(jobsMarkdown().trim());
  });
});
