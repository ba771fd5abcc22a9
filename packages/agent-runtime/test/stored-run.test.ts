import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { newRun, openCall, waitingApprovals, type Run } from '#src/calls/call.js';
import {
  readRun,
  RunTooNew,
  RunUnreadable,
  runVersion,
  storedRun,
} from '#src/questions/stored-run.js';

const folder = join(import.meta.dirname, '../test/fixtures');
/** One run of each version, as that version stored it. They stay as they are. */
const stored = (version: number): unknown =>
  JSON.parse(readFileSync(join(folder, `run-${version}.json`), 'utf8'));
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a stored run', () => {
  for (let version = 0; version <= runVersion; version += 1)
    it(`of version ${version} can be read, and its approvals be decided`, () => {
      const run = readRun(stored(version));
      expect(run).not.to.have.property('version');
      const waiting = run.openCalls.flatMap(waitingApprovals);
      expect(waiting).to.have.length(1);
      expect(waiting[0]).to.include({ callId: 'call_1', deadline: '2030-01-31T10:05:00.000Z' });
      expect(waiting[0]?.approvers).to.deep.equal(version === 0 ? ['client', 'api'] : ['api']);
    });

  it('of every version has an example', () => {
    const examples = readdirSync(folder).filter((name) => name.startsWith('run-'));
    expect(examples).to.have.length(runVersion + 1);
  });

  it('comes back as it was', () => {
    const call = openCall({ callId: 'c', name: 'n', arguments: '{', position: 1.5 });
    const given = { instructions: 'Be brief.', tools: [{ name: 'pick', description: '' }] };
    const run: Run = {
      ...newRun([{ role: 'user', content: 'Hello' }], 2, given),
      openCalls: [call, { ...call, state: 'suspended', run: newRun([], 3), executionMs: 1 }],
      handed: [{ callId: 'h', name: 'pick', arguments: '{}' }],
    };
    expect(readRun(asJson(storedRun(run)))).to.deep.equal(run);
  });

  it('is left to a newer process when that has stored it', () => {
    const newer = { ...storedRun(newRun([], 1)), version: runVersion + 1 };
    expect(() => readRun(newer)).to.throw(RunTooNew, `version ${runVersion + 1}`);
  });

  it('is refused with the place that is wrong', () => {
    const run = storedRun(newRun([], 1));
    expect(() => readRun({ ...run, openCalls: [{}] })).to.throw(RunUnreadable, '/openCalls/0');
    expect(() => readRun({ ...run, extra: 1 })).to.throw(RunUnreadable, '/extra');
    for (const version of [0, 1])
      expect(() => readRun({ version }), `${version}`).to.throw(RunUnreadable, 'converted');
  });
});
