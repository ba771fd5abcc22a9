import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { settingsMarkdown } from '#src/settings-doc.js';

describe('README', () => {
  it('has the table of settings as it is; npm run docs writes it', () => {
    const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
    expect(readme).to.include(settingsMarkdown().trim());
  });
});
