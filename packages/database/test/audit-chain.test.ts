import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { expect } from 'chai';

type Exported = { previousHash: string; hash: string } & Record<string, unknown>;

describe('an exported audit log', () => {
  it('can be verified with SHA-256 and RFC 8785 alone', () => {
    const path = join(import.meta.dirname, '../test/fixtures/audit-chain.json');
    const { organizationId, records } = JSON.parse(readFileSync(path, 'utf8')) as {
      organizationId: string;
      records: Exported[];
    };
    let last = '0'.repeat(64);
    for (const { previousHash, hash, ...record } of records) {
      const text = canonicalize({ organizationId, ...record })!;
      const bytes = Buffer.concat([Buffer.from(last, 'hex'), Buffer.from(text)]);
      expect(previousHash).to.equal(last);
      expect(createHash('sha256').update(bytes).digest('hex')).to.equal(hash);
      last = hash;
    }
  });
});
