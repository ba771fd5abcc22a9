import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { contractSummary } from '#src/contract/contract-summary.js';

describe('the contract', () => {
  it('does not change without an entry in CHANGELOG.md', () => {
    const file = join(import.meta.dirname, '../contract.lock.json');
    const accepted = (
      JSON.parse(readFileSync(file, 'utf8')) as { contract: Record<string, string> }
    ).contract;
    const present = contractSummary();
    const changed = [...new Set([...Object.keys(accepted), ...Object.keys(present)])].filter(
      (name) => accepted[name] !== present[name],
    );
    expect(
      changed,
      'The OpenAPI document changed at these places. Say so under Unreleased in CHANGELOG.md, then run `npm run contract`',
    ).to.deep.equal([]);
  });
});
