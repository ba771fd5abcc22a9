import { expect } from 'chai';
import { newRun, openCall, type AtRest } from '#src/calls/call.js';
import { step, table } from '#src/calls/call-machine.js';
import type { Call, Effect, Input, OnItsWay, Terms } from '#src/calls/call-machine.js';

const made = openCall({ callId: 'c', name: 'pay', arguments: '{}', position: 1 });
const approvers = ['api'] as const;
const deadline = '2030-01-31T10:00:00.000Z';
const run = newRun([], 1);
const free = { kind: 'free' } as const;
const refused = { kind: 'refused', says: 'No such tool.' } as const;
const approval = { kind: 'approval', approvers } as const;
const paid = { status: 'succeeded', output: '{"paid":true}', text: 'Paid.' } as const;

type Face = AtRest | OnItsWay;

/** A call in each state; some have more than one face. */
const at = {
  new: { state: 'new' } as const,
  recording: (terms: Terms): Face => ({ state: 'recording', terms }),
  asking: { state: 'asking', approvers } as const,
  waiting: { state: 'waiting', deadline, approvers } as const,
  adopted: { state: 'adopted', deadline, approvers } as const,
  reading: { state: 'reading', deadline, approvers } as const,
  claiming: { state: 'claiming' } as const,
  running: { state: 'running', run: null, executionMs: 0 } as const,
  suspended: { state: 'suspended', run, executionMs: 5 } as const,
  resuming: { state: 'resuming', run, executionMs: 5, isAdopted: false } as const,
  withdrawing: { state: 'withdrawing', ending: 'refused', begun: true, executionMs: 5 } as const,
  finished: { state: 'finished', outcome: paid } as const,
};

const callIn = (face: Face, over?: Call['over']): Call => ({
  ...made,
  ...face,
  ...(over && { over }),
});

/** What is done, in words. */
function told(effect: Effect): string {
  if (effect.kind === 'tell_approval') return `tell ${effect.event}`;
  if (effect.kind === 'run') return effect.run ? 'run on' : 'run';
  if (effect.kind !== 'end') return effect.kind.replaceAll('_', ' ');
  const { ending, begun, missing, told } = effect;
  const lacks = missing !== 'outcome' && `missing ${missing}`;
  const words = [`end ${ending}`, begun && 'begun', !told && 'silently', lacks];
  return words.filter(Boolean).join(', ');
}

type RowOfTest = readonly [from: Face, input: Input, to: Call['state'], effects: readonly string[]];

const decided = (approved: 'approved' | 'rejected' | 'expired' | 'cancelled', fits = true) =>
  ({ kind: 'decided', approval: approved, fits }) as const;
const ran = (outcome: Extract<Input, { kind: 'ran' }>['ran']) =>
  ({ kind: 'ran', ran: outcome, milliseconds: 7 }) as const;
const taken = (standing: Extract<Input, { kind: 'taken' }>['standing']) =>
  ({ kind: 'taken', standing }) as const;

const rows: readonly RowOfTest[] = [
  [at.new, { kind: 'go', terms: free }, 'recording', ['record']],
  [at.new, { kind: 'go', terms: refused }, 'recording', ['record']],
  [at.recording(free), { kind: 'recorded' }, 'claiming', ['tell start', 'claim']],
  [at.recording(approval), { kind: 'recorded' }, 'asking', ['tell start', 'open approval']],
  [at.recording(refused), { kind: 'recorded' }, 'finished', ['tell start', 'end refused']],
  [
    at.recording(free),
    { kind: 'not_recorded' },
    'finished',
    ['tell start', 'end not_recorded, missing call'],
  ],
  [at.asking, { kind: 'opened', deadline }, 'waiting', ['tell waiting']],
  [at.asking, { kind: 'unaskable', says: 'Full.' }, 'finished', ['end refused']],
  [at.asking, { kind: 'not_opened' }, 'withdrawing', ['cancel approval']],
  [at.waiting, { kind: 'go', terms: approval }, 'reading', ['read decision']],
  [at.waiting, { kind: 'go', terms: free }, 'reading', ['read decision']],
  [at.waiting, { kind: 'go', terms: refused }, 'withdrawing', ['cancel approval']],
  [
    at.adopted,
    { kind: 'go', terms: approval },
    'reading',
    ['enter room', 'tell start', 'read decision'],
  ],
  [
    at.adopted,
    { kind: 'go', terms: refused },
    'withdrawing',
    ['enter room', 'tell start', 'cancel approval'],
  ],
  [at.reading, { kind: 'undecided' }, 'waiting', []],
  [{ ...at.reading, isAdopted: true }, { kind: 'undecided' }, 'waiting', ['tell waiting']],
  [
    { ...at.reading, isAdopted: true },
    decided('approved'),
    'claiming',
    ['leave room', 'tell waiting', 'tell approved', 'claim'],
  ],
  [at.reading, decided('approved'), 'claiming', ['leave room', 'tell approved', 'claim']],
  [at.reading, decided('approved', false), 'finished', ['leave room', 'end other_arguments']],
  [at.reading, decided('rejected'), 'finished', ['leave room', 'end rejected']],
  [at.reading, decided('expired'), 'finished', ['leave room', 'tell expired', 'end expired']],
  [at.reading, decided('cancelled'), 'finished', ['leave room', 'end cancelled']],
  [at.claiming, { kind: 'claimed' }, 'running', ['run']],
  [at.claiming, { kind: 'not_claimed' }, 'finished', ['end not_recorded']],
  [
    at.claiming,
    taken({ kind: 'finished', result: paid }),
    'finished',
    ['end succeeded, missing nothing'],
  ],
  [at.claiming, taken({ kind: 'started' }), 'finished', ['end unknown, begun']],
  [at.claiming, taken({ kind: 'stopped', approval: 'expired' }), 'finished', ['end expired']],
  [at.running, ran({ kind: 'result', result: paid }), 'finished', ['end succeeded, begun']],
  [at.running, ran({ kind: 'failed', says: 'Full.' }), 'finished', ['end failed, begun']],
  [at.running, ran({ kind: 'broken', err: 0 }), 'finished', ['end failed, begun']],
  [at.running, ran({ kind: 'timed_out' }), 'finished', ['end timed_out, begun']],
  [at.running, ran({ kind: 'interrupted' }), 'finished', ['end interrupted, begun']],
  [at.running, ran({ kind: 'suspended', run }), 'suspended', ['keep run']],
  [at.suspended, { kind: 'go', terms: free }, 'resuming', ['resume run']],
  [at.suspended, { kind: 'go', terms: approval }, 'resuming', ['resume run']],
  [at.suspended, { kind: 'go', terms: refused }, 'withdrawing', ['end run']],
  [
    { ...at.suspended, isAdopted: true },
    { kind: 'go', terms: refused },
    'withdrawing',
    ['tell start', 'end run'],
  ],
  [{ ...at.suspended, isAdopted: true }, { kind: 'go', terms: free }, 'resuming', ['resume run']],
  [{ ...at.resuming, isAdopted: true }, { kind: 'resumed' }, 'running', ['tell start', 'run on']],
  [{ ...at.resuming, isAdopted: true }, { kind: 'not_resumed' }, 'suspended', []],
  [{ ...at.resuming, isAdopted: true }, { kind: 'lost' }, 'withdrawing', ['tell start', 'end run']],
  [at.resuming, { kind: 'resumed' }, 'running', ['run on']],
  [at.resuming, { kind: 'not_resumed' }, 'suspended', []],
  [at.resuming, { kind: 'lost' }, 'withdrawing', ['end run']],
  [at.withdrawing, { kind: 'withdrawn' }, 'finished', ['end refused, begun']],
];

/** The same once the session is over, where that makes a difference. */
const rowsWhenOver: readonly RowOfTest[] = [
  [at.recording(free), { kind: 'recorded' }, 'finished', ['end cancelled, silently']],
  [at.recording(approval), { kind: 'recorded' }, 'finished', ['end cancelled, silently']],
  [at.recording(refused), { kind: 'recorded' }, 'finished', ['end refused, silently']],
  [at.asking, { kind: 'opened', deadline }, 'withdrawing', ['cancel approval']],
  [at.waiting, { kind: 'go', terms: approval }, 'withdrawing', ['cancel approval']],
  [at.reading, { kind: 'undecided' }, 'withdrawing', ['cancel approval']],
  [at.reading, decided('approved'), 'finished', ['leave room', 'end cancelled, silently']],
  [at.reading, decided('expired'), 'finished', ['leave room', 'end expired, silently']],
  [at.claiming, { kind: 'claimed' }, 'finished', ['end interrupted, begun, silently']],
  [at.running, ran({ kind: 'suspended', run }), 'withdrawing', ['end run']],
  [at.suspended, { kind: 'go', terms: free }, 'resuming', ['resume run']],
  [at.resuming, { kind: 'resumed' }, 'running', ['run on']],
  [at.resuming, { kind: 'not_resumed' }, 'running', ['run on']],
];

/** The same once another process continues the session. */
const rowsWhenMoved: readonly RowOfTest[] = [
  [at.new, { kind: 'go', terms: approval }, 'recording', ['record']],
  [at.recording(approval), { kind: 'recorded' }, 'new', []],
  [
    at.recording(free),
    { kind: 'not_recorded' },
    'finished',
    ['end not_recorded, silently, missing call'],
  ],
  [at.asking, { kind: 'opened', deadline }, 'waiting', []],
  [at.asking, { kind: 'not_opened' }, 'withdrawing', ['cancel approval']],
  [at.waiting, { kind: 'go', terms: approval }, 'waiting', []],
  [at.waiting, { kind: 'go', terms: refused }, 'waiting', []],
  [at.adopted, { kind: 'go', terms: approval }, 'waiting', []],
  [at.reading, { kind: 'undecided' }, 'waiting', []],
  [at.reading, decided('approved'), 'waiting', []],
  [at.claiming, { kind: 'claimed' }, 'finished', ['end interrupted, begun, silently']],
  [at.running, ran({ kind: 'suspended', run }), 'suspended', ['keep run']],
  [at.suspended, { kind: 'go', terms: free }, 'suspended', []],
  [at.suspended, { kind: 'go', terms: refused }, 'suspended', []],
  [at.resuming, { kind: 'resumed' }, 'suspended', ['keep run']],
  [at.resuming, { kind: 'not_resumed' }, 'suspended', []],
];

const breaks: readonly RowOfTest[] = [
  [at.new, { kind: 'broke' }, 'finished', ['end failed']],
  [at.recording(free), { kind: 'broke' }, 'finished', ['end failed']],
  [at.asking, { kind: 'broke' }, 'withdrawing', ['cancel approval']],
  [at.waiting, { kind: 'broke' }, 'withdrawing', ['cancel approval']],
  [at.adopted, { kind: 'broke' }, 'withdrawing', ['cancel approval']],
  [at.reading, { kind: 'broke' }, 'withdrawing', ['cancel approval']],
  [at.claiming, { kind: 'broke' }, 'finished', ['end failed']],
  [at.running, { kind: 'broke' }, 'finished', ['end failed, begun']],
  [at.suspended, { kind: 'broke' }, 'withdrawing', ['end run']],
  [at.resuming, { kind: 'broke' }, 'withdrawing', ['end run']],
  [at.withdrawing, { kind: 'broke' }, 'finished', ['end failed, begun']],
  [at.finished, { kind: 'broke' }, 'finished', []],
];

describe('the machine of a call', () => {
  const detailOf = (input: Input): string => {
    if (input.kind === 'go') return ` ${input.terms.kind}`;
    if (input.kind === 'taken') return ` ${input.standing.kind}`;
    if (input.kind === 'ran') return ` ${input.ran.kind}`;
    if (input.kind !== 'decided') return '';
    return ` ${input.approval}${input.fits ? '' : ', for other arguments'}`;
  };
  const titleOf = ([from, input, to]: RowOfTest) => {
    const terms = from.state === 'recording' ? ` ${from.terms.kind}` : '';
    return `${from.state}${terms} + ${input.kind}${detailOf(input)} → ${to}`;
  };

  for (const row of [...rows, ...breaks])
    it(titleOf(row), () => {
      const [from, input, to, effects] = row;
      const next = step(callIn(from), input);
      expect(next.call).to.include({ state: to, id: made.id });
      expect(next.effects.map(told)).to.deep.equal(effects);
    });

  for (const row of rowsWhenOver)
    it(`of a session that is over: ${titleOf(row)}`, () => {
      const [from, input, to, effects] = row;
      const next = step(callIn(from, 'silent'), input);
      expect(next.call.state).to.equal(to);
      expect(next.effects.map(told)).to.deep.equal(effects);
    });

  for (const row of rowsWhenMoved)
    it(`of a session that another process continues: ${titleOf(row)}`, () => {
      const [from, input, to, effects] = row;
      const next = step(callIn(from, 'moved'), input);
      expect(next.call.state).to.equal(to);
      expect(next.effects.map(told)).to.deep.equal(effects);
    });

  it('has a test for each row of its table, and knows no other', () => {
    const known = Object.entries(table).flatMap(([state, inputs]) =>
      Object.keys(inputs).map((kind) => `${state} ${kind}`),
    );
    const tested = new Set(rows.map(([{ state }, { kind }]) => `${state} ${kind}`));
    expect([...tested].sort()).to.deep.equal(known.sort());
    const faces = new Map(rows.map(([face]) => [face.state, face]));
    const inputs = new Map(rows.map(([, input]) => [input.kind, input]));
    for (const face of [...faces.values(), at.finished])
      for (const input of inputs.values()) {
        if (tested.has(`${face.state} ${input.kind}`)) continue;
        const call = callIn(face);
        expect(step(call, input)).to.deep.equal({ call, effects: [] });
      }
  });

  it('remembers that its session is over, and does nothing about it by itself', () => {
    for (const face of [at.new, at.asking, at.waiting, at.claiming, at.running, at.suspended]) {
      const { call, effects } = step(callIn(face), { kind: 'abort', over: 'told' });
      expect(call).to.deep.equal(callIn(face, 'told'));
      expect(effects).to.be.empty;
    }
  });

  it('tells how a call ended that was cut off while its session goes on', () => {
    const { effects } = step(callIn(at.recording(free), 'told'), { kind: 'recorded' });
    expect(effects.map(told)).to.deep.equal(['tell start', 'end cancelled']);
  });

  it('tells the model why, people what happened, and nobody more than fits', () => {
    const why = step(callIn(at.recording(refused)), { kind: 'recorded' });
    const says = refused.says;
    expect(why.call).to.deep.include({ outcome: { status: 'failed', output: says, text: says } });
    const long = { status: 'succeeded', output: 'y'.repeat(100_000), text: 'Long.' } as const;
    const { call } = step(callIn(at.running), ran({ kind: 'result', result: long }));
    if (call.state !== 'finished') throw new Error(call.state);
    expect(call.outcome).to.include({ status: 'succeeded', text: 'Long.' });
    expect(call.outcome.output).to.match(/truncated/);
  });

  it('adds up how long a tool ran, without the time that it waited', () => {
    const inputs: Input[] = [
      ran({ kind: 'suspended', run }),
      { kind: 'go', terms: free },
      { kind: 'resumed' },
    ];
    const again = inputs.reduce((call, input) => step(call, input).call, callIn(at.running));
    expect(again).to.include({ state: 'running', executionMs: 7 });
    const { effects } = step(again, ran({ kind: 'result', result: paid }));
    expect(effects[0]).to.include({ kind: 'end', executionMs: 14 });
  });
});
