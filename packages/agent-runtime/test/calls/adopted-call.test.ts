import { expect } from 'chai';
import {
  adoptCall,
  isUnannounced,
  newRun,
  openCall,
  waitingApprovals,
  type OpenCall,
} from '#src/calls/call.js';
import { isAtRest, step, type Call, type Effect, type Input } from '#src/calls/call-machine.js';
import { readSuspension, storedSuspension } from '#src/questions/stored-run.js';

const made = openCall({ callId: 'c', name: 'pay', arguments: '{}', position: 1 });
const approvers = ['api'] as const;
const deadline = '2030-01-31T10:00:00.000Z';
const run = newRun([], 1);

describe('a call whose sub-agent waited when its session moved', () => {
  const inner: OpenCall = { ...made, id: 'inner', state: 'waiting', deadline, approvers };
  const expert: OpenCall = {
    ...{ ...made, id: 'expert', state: 'suspended' },
    ...{ run: { ...run, state: 'waiting', openCalls: [inner] }, executionMs: 3 },
  };
  const suspended = {
    run: { ...run, state: 'waiting', openCalls: [inner, expert] },
    executionMs: 5,
  } as const;
  const adopted = adoptCall(made, { asked: null, suspended });
  const go: Input = { kind: 'go', terms: { kind: 'free' } };
  /** What the call becomes, and the effects of the last input. */
  const after = (call: Call, ...inputs: Input[]) =>
    inputs.reduce((last, input) => step(last.call, input), {
      call,
      effects: [] as readonly Effect[],
    });
  const resting = ({ call }: { call: Call }): OpenCall => {
    if (!isAtRest(call)) throw new Error(call.state);
    return call;
  };
  const runIn = (effects: readonly Effect[]) => {
    const last = effects.at(-1);
    if (last?.kind !== 'run' && last?.kind !== 'end_run') throw new Error(last?.kind);
    return last.run;
  };

  it('waits for the same approvals while it cannot be resumed', () => {
    const rests = resting(after(adopted, go, { kind: 'not_resumed' }));
    const ids = waitingApprovals(rests).map(({ id }) => id);
    expect(ids).to.deep.equal(['inner', 'inner']);
    expect(isUnannounced(rests)).to.equal(true);
  });

  it('is announced with all that waits in it once it is resumed, and not again', () => {
    const { call, effects } = after(
      ...([adopted, go, { kind: 'not_resumed' }, go, { kind: 'resumed' }] as const),
    );
    expect(effects.map(({ kind }) => kind)).to.deep.equal(['tell_start', 'run']);
    expect(effects[1]).to.include({ isAdopted: true });
    const [first, second] = runIn(effects)?.openCalls ?? [];
    expect(first).to.deep.equal({ ...inner, state: 'adopted' });
    expect(second).to.deep.equal({ ...expert, isAdopted: true });
    const ran = { kind: 'suspended', run: suspended.run } as const;
    const suspendedAgain = after(call, { kind: 'ran', ran, milliseconds: 7 });
    expect(isUnannounced(resting(suspendedAgain))).to.equal(false);
    const again = after(suspendedAgain.call, go, { kind: 'resumed' });
    expect(again.effects.map(({ kind }) => kind)).to.deep.equal(['run']);
    expect(again.effects[0]).to.deep.include({ run: suspended.run, isAdopted: false });
  });

  it('announces what it ends if it is lost', () => {
    const { effects } = after(adopted, go, { kind: 'lost' });
    expect(runIn(effects)?.openCalls[0]).to.include({ id: 'inner', state: 'adopted' });
  });

  it('is stored as it was if the session moves on while it is being resumed', () => {
    const moved: Input = { kind: 'abort', over: 'moved' };
    const { effects } = after(adopted, go, moved, { kind: 'resumed' });
    const [keep] = effects;
    if (keep?.kind !== 'keep_run') throw new Error(keep?.kind);
    const stored: unknown = JSON.parse(JSON.stringify(storedSuspension(keep)));
    expect(readSuspension(stored)).to.deep.equal(suspended);
  });
});
