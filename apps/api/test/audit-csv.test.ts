import { expect } from 'chai';
import type { AuditRecord } from '@parley/protocol';
import { csvHeader, csvRow } from '#src/audit/audit-csv.js';

const record: AuditRecord = {
  sequence: 7,
  occurredAt: '2026-01-02T03:04:05.678Z',
  actor: { kind: 'key', id: 'k1', name: 'backend' },
  action: 'task.updated',
  resourceType: 'task',
  resourceId: 't1',
  before: null,
  after: { title: 'a "b", c' },
  previousHash: 'aa',
  hash: 'bb',
};
const nameCell = (name: string) =>
  csvRow({ ...record, actor: { kind: 'system', name }, after: null })
    .split('system,,')[1]!
    .replace(/,task\.updated.*\r\n$/, '');

describe('a row of the exported CSV', () => {
  it('has the columns of the header, quoted as RFC 4180 says', () => {
    expect(csvHeader).to.equal(
      'sequence,occurredAt,actorKind,actorId,actorName,action,resourceType,resourceId,before,after,previousHash,hash\r\n',
    );
    expect(csvRow(record)).to.equal(
      '7,2026-01-02T03:04:05.678Z,key,k1,backend,task.updated,task,t1,,"{""title"":""a \\""b\\"", c""}",aa,bb\r\n',
    );
  });

  for (const name of ['=1+1', '+1', '-1', '@x', '\tx', '＝1', '＋1', '－1', '＠x'])
    it(`holds no formula: ${JSON.stringify(name)}`, () => {
      expect(nameCell(name)).to.equal(`'${name}`);
    });

  it('keeps line breaks inside of quotes', () => {
    expect(nameCell('a\r\nb')).to.equal('"a\r\nb"');
    expect(nameCell('\rx')).to.equal(`"'\rx"`);
    expect(nameCell('\n=x')).to.equal(`"'\n=x"`);
    expect(nameCell('a\rb')).to.equal('"a\rb"');
  });

  it('leaves plain text as it is', () => {
    expect(nameCell('plain – text')).to.equal('plain – text');
  });
});
