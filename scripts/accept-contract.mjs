// Accepts a change of the contract: writes the current OpenAPI document into
// packages/protocol/contract.lock.json, but only if CHANGELOG.md has changed since the contract was
// last accepted. A test fails while the document and the lock differ.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractSummary } from '@parley/protocol';
import { root } from './build.mjs';

const lockFile = join(root, 'packages/protocol/contract.lock.json');
const changelog = createHash('sha256')
  .update(readFileSync(join(root, 'CHANGELOG.md')))
  .digest('hex');
const lock = existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')) : {};
const contract = contractSummary();

if (JSON.stringify(lock.contract) === JSON.stringify(contract)) {
  console.log('The contract has not changed.');
} else if (lock.changelog === changelog) {
  console.error('The contract changed: say so at the top of CHANGELOG.md, then run this again.');
  process.exit(1);
} else {
  writeFileSync(lockFile, `${JSON.stringify({ changelog, contract }, null, 2)}\n`);
  console.log('The contract is accepted.');
}
