import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newRun, storedRun, type OpenCall, type Toolbox } from '@parley/agent-runtime';
import { waitFor } from '@parley/testkit';
import type { CallInput } from '#src/ports.js';
import { Decisions } from '#src/tools/decisions.js';
import { ToolCalls } from '#src/tools/session-calls.js';

const hour = 3_600_000;
const organizationId = randomUUID();
const sessionId = randomUUID();
const deadline = new Date(Date.now() + hour).toISOString();
const made = { callId: 'outer', messageId: randomUUID(), name: 'expert', position: 1 };
const inner = { ...made, id: randomUUID(), callId: 'inner', arguments: '{}' };
const waiting: OpenCall = { ...inner, state: 'waiting', deadline, approvers: ['api'] };
const run = storedRun({ ...newRun([], 1), state: 'waiting', openCalls: [waiting] });

describe('a call whose sub-agent waited when its session moved', () => {
  let decisions: Decisions;
  let told: CallInput[];
  let advances: OpenCall[];
  let advance: Toolbox['advance'];
  let calls: ToolCalls;

  const open = (retryMs: number) => {
    [told, advances] = [[], []];
    decisions = new Decisions({
      approvals: {
        decide: () => Promise.resolve(true),
        expire: () => Promise.resolve({ outcome: 'settled' }),
      },
      waitingAmong: (ids) => Promise.resolve(ids.map((id) => ({ id, remainingMs: hour }))),
      onError: (error) => {
        throw error;
      },
    });
    const toolbox: Toolbox = {
      declarations: [],
      newCall: () => {
        throw new Error('Nothing is called here.');
      },
      advance(call, signal) {
        advances.push(call);
        return advance(call, signal);
      },
      close: () => Promise.resolve(),
    };
    calls = new ToolCalls(
      {
        ...{ organizationId, sessionId, decisions, retryMs },
        toolbox: () => Promise.resolve(toolbox),
        close: () => Promise.resolve(),
        actor: { kind: 'session', id: sessionId, name: 'end user' },
        report: (event) => {
          throw new Error(event);
        },
        onClosed: () => undefined,
      },
      (input) => told.push(input),
    );
  };
  afterEach(() => decisions.close());

  const finished = (call: OpenCall): Promise<OpenCall> => {
    const outcome = { status: 'succeeded', output: 'Paid.', text: 'Paid.' } as const;
    return Promise.resolve({ ...call, state: 'finished', outcome });
  };
  const adopt = () => {
    const suspended = { run, executionMs: 1 };
    calls.adopt({ ...made, id: randomUUID(), arguments: '{}', asked: null, suspended });
  };

  it('is tried again, without a decision, until it can be announced', async () => {
    open(1);
    advance = (call) => (advances.length < 3 ? Promise.resolve(call) : finished(call));
    adopt();
    const waits = { kind: 'call.waiting', callId: 'outer' };
    await waitFor(() => told.length === 3, { what: 'the end' });
    const end = { kind: 'call.finished', callId: 'outer', output: 'Paid.' };
    expect(told).to.deep.equal([waits, waits, end]);
    expect(decisions.waiting).to.equal(0);
  });

  it('is left alone once the session is over', async () => {
    open(hour);
    advance = (call, { aborted }) => (aborted ? finished(call) : Promise.resolve(call));
    adopt();
    await waitFor(() => told.length === 1, { what: 'the wait' });
    calls.end();
    await waitFor(() => told.at(-1)?.kind === 'call.finished', { what: 'the end' });
    // A timer that is left would keep this file from ending.
    expect(decisions.waiting).to.equal(0);
  });
});
