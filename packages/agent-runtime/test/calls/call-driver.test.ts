import { expect } from 'chai';
import type { RecordChange } from '@parley/database';
import { openCall } from '#src/calls/call.js';
import { CallDriver, type DriverOptions } from '#src/calls/call-driver.js';
import { CallCancelled } from '#src/calls/run-tool.js';
import { WaitingRoom } from '#src/calls/waiting-room.js';
import type { BoundTool } from '#src/tools/tool.js';

const never = new AbortController().signal;

/** A driver on ports that do nothing but go well. */
function open(ports: Partial<DriverOptions> = {}, kind: BoundTool['kind'] = 'builtin') {
  const changes: RecordChange[] = [];
  const endings: string[] = [];
  let runs = 0;
  const tool: BoundTool = {
    kind,
    declaration: { name: 'note', description: '' },
    approvalRequired: false,
    approvers: ['client', 'api'],
    timeoutMs: 1000,
    face: { title: null, imageUrl: null, button: null },
    run() {
      runs += 1;
      return Promise.resolve({ status: 'succeeded', output: 'noted' });
    },
  };
  const driver = new CallDriver({
    place: { organizationId: 'o', conversationId: 'c', sessionId: 's', runId: null },
    ...{ agentId: 'a', parentId: null, owner: null, approvalTimeoutSeconds: 60 },
    isMovable: false,
    tools: new Map([['note', tool]]),
    room: new WaitingRoom(),
    approvals: { open: () => Promise.resolve(new Date()), cancel: () => Promise.resolve() },
    records: {
      record: () => Promise.resolve(),
      claim: () => Promise.resolve(true),
      find: () => Promise.resolve(undefined),
      suspend: () => Promise.resolve(true),
      resume: () => Promise.resolve(true),
    },
    journal: { add: (_holder, change) => changes.push(change) },
    emit: () => undefined,
    metrics: {
      started: () => undefined,
      stopped: () => undefined,
      finished: (kind, { ending }) => endings.push(`${kind} ${ending}`),
    },
    report: () => undefined,
    ...ports,
  });
  const call = openCall({ callId: 'call', name: 'note', arguments: '{}', position: 1 });
  return { driver, call, changes, endings, runs: () => runs };
}

describe('the driver of calls', () => {
  it('tells the record and the metrics once how a call ended', async () => {
    const { driver, call, changes, endings, runs } = open();
    const [first, second] = [driver.advance(call, never), driver.advance(call, never)];
    expect(await first).to.include({ state: 'finished' });
    expect(await second).to.equal(await first);
    expect(runs()).to.equal(1);
    expect(endings).to.deep.equal(['builtin succeeded']);
    expect(changes).to.have.length(1);
    expect(changes[0]).to.deep.include({ kind: 'call', id: call.id });
    expect(changes[0]).to.have.nested.property('end.status', 'succeeded');
  });

  it('settles a call although telling of it fails, and runs nothing', async () => {
    const emit = () => {
      throw new Error('a bug');
    };
    const { driver, call, changes, endings, runs } = open({ emit });
    expect(await driver.advance(call, never)).to.deep.include({
      state: 'finished',
      outcome: { status: 'failed', output: 'The tool failed.', text: 'The tool failed.' },
    });
    expect(runs()).to.equal(0);
    expect(endings).to.deep.equal(['builtin failed']);
    expect(changes).to.have.length(1);
  });

  it('records a call as not run if its session ended before it began', async () => {
    const { driver, call, changes, runs } = open();
    const over = AbortSignal.abort(new Error('session ended'));
    expect(await driver.advance(call, over)).to.include({ state: 'finished' });
    expect(runs()).to.equal(0);
    expect(changes[0]).to.have.nested.property('end.notRun', true);
  });

  it('ends with a sub-agent what it left open, unless its session or question is over', async () => {
    const over = AbortSignal.abort(new Error('session ended'));
    const cut = AbortSignal.abort(new CallCancelled());
    for (const [kind, signal, endsInside] of [
      ['subagent', never, true],
      ['subagent', cut, true],
      ['subagent', over, false],
      ['builtin', never, false],
    ] as const) {
      const { driver, call, changes } = open({}, kind);
      await driver.advance(call, signal);
      expect(changes[0]).to.include({ endsInside });
    }
  });
});
