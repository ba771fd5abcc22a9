import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { newRun, openCall, type OpenCall } from '#src/calls/call.js';
import { isAtRest, step, table } from '#src/calls/call-machine.js';
import type { Call, Effect, Input, Step, Terms } from '#src/calls/call-machine.js';

const run = newRun([], 1);
const deadline = '2030-01-31T10:00:00.000Z';
const terms: Terms[] = [
  { kind: 'free' },
  { kind: 'approval', approvers: ['client', 'api'] },
  { kind: 'refused', says: 'No such tool.' },
];
const result = { status: 'succeeded', output: 'ok' } as const;
const newCall = () => openCall({ callId: 'c', name: 'pay', arguments: '{}', position: 1 });
const answered = new Set<Effect['kind']>([
  ...(['record', 'open_approval', 'read_decision', 'cancel_approval'] as const),
  ...(['claim', 'run', 'resume_run', 'end_run'] as const),
]);

const decisions = (['approved', 'rejected', 'expired', 'cancelled'] as const).flatMap((approval) =>
  [true, false].map((fits) => ({ kind: 'decided', approval, fits }) as const),
);
const inputs: readonly Input[] = [
  ...terms.map((one) => ({ kind: 'go', terms: one }) as const),
  ...(['recorded', 'not_recorded', 'not_opened', 'undecided'] as const).map((kind) => ({ kind })),
  ...(['claimed', 'not_claimed', 'withdrawn', 'broke'] as const).map((kind) => ({ kind })),
  ...(['resumed', 'not_resumed', 'lost'] as const).map((kind) => ({ kind })),
  ...decisions,
  { kind: 'opened', deadline },
  { kind: 'unaskable', says: 'Full.' },
  { kind: 'taken', standing: { kind: 'started' } },
  { kind: 'taken', standing: { kind: 'finished', result } },
  { kind: 'taken', standing: { kind: 'stopped', approval: 'rejected' } },
  { kind: 'ran', ran: { kind: 'suspended', run }, milliseconds: 1 },
  { kind: 'ran', ran: { kind: 'result', result }, milliseconds: 1 },
  { kind: 'abort', over: 'told' },
  { kind: 'abort', over: 'silent' },
  { kind: 'abort', over: 'moved' },
];

/** What takes a call further, so that many get far. */
const goodNews: readonly Input[] = [
  ...terms.map((one) => ({ kind: 'go', terms: one }) as const),
  ...(['recorded', 'claimed', 'resumed'] as const).map((kind) => ({ kind })),
  { kind: 'opened', deadline },
  ...decisions.filter(({ approval }) => approval === 'approved'),
];
const anything = fc.record({
  from: fc.constantFrom('good', 'good', 'good', 'awaited', 'awaited', 'awaited', 'any', 'abort'),
  pick: fc.nat(1000),
});

function inputFor({ state }: Call, { from, pick }: { from: string; pick: number }): Input {
  const awaited = ({ kind }: Input) => kind in table[state];
  const among = [
    ...(from === 'good' ? goodNews.filter(awaited) : []),
    ...(from === 'awaited' ? inputs.filter(awaited) : []),
    ...(from === 'abort' ? inputs.filter(({ kind }) => kind === 'abort') : []),
  ];
  const chosen = among.length > 0 ? among : inputs;
  return chosen[pick % chosen.length]!;
}

describe('a call, whatever comes', () => {
  it('runs once at most, claimed, approved and wanted; ends once; and stays as it ended', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 25 }), (choices) => {
        let call: Call = newCall();
        const seen = { runs: 0, ends: 0, asked: false, approved: false, over: false };
        for (const choice of choices) {
          const before = call;
          const input = inputFor(call, choice);
          const { call: next, effects }: Step = step(call, input);
          call = next;
          if (before.state === 'finished')
            expect({ call, effects }).to.deep.equal({ call: before, effects: [] });
          if (input.kind === 'abort') seen.over ||= before.state !== 'finished';
          if (before.state === 'reading' && input.kind === 'decided')
            seen.approved ||= input.approval === 'approved' && input.fits;
          for (const effect of effects) {
            seen.asked ||= effect.kind === 'open_approval';
            if (effect.kind === 'end') seen.ends += 1;
            if (effect.kind !== 'run' || effect.run) continue;
            seen.runs += 1;
            expect(input.kind).to.equal('claimed');
            expect(seen.approved || !seen.asked, 'approved').to.equal(true);
            expect(seen.over, 'over').to.equal(false);
          }
          expect(awaits(effects), call.state).to.equal(
            isAtRest(call) || before.state === call.state ? undefined : effects.at(-1)?.kind,
          );
        }
        expect(seen.runs).to.be.at.most(1);
        expect(seen.ends).to.equal(call.state === 'finished' ? 1 : 0);
      }),
      fuzz(500),
    );
  });
});

function awaits(effects: readonly Effect[]): Effect['kind'] | undefined {
  return effects.find(({ kind }) => answered.has(kind))?.kind;
}

/** What PostgreSQL, people and the tool do to one call; processes die, and others take over. */
class World {
  readonly #choose: (among: number) => number;
  readonly #terms: Terms;
  #row:
    | { approval: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled' | null }
    | undefined;
  #started = false;
  /** To the process that is at work. */
  #granted = false;
  #suspensions = 0;
  /** The outcomes that the record was told, first one first. */
  readonly outcomes: string[] = [];
  runs = 0;

  constructor(wanted: Terms, choices: readonly number[]) {
    this.#terms = wanted;
    let next = 0;
    /** When the choices are used up, everything goes well. */
    this.#choose = (among) => (choices[next++] ?? 0) % among;
  }

  /** To where the call rests; undefined when the process died on the way. */
  advance(open: OpenCall): OpenCall | undefined {
    let call: Call = open;
    let input: Input | undefined = { kind: 'go', terms: this.#terms };
    while (input) {
      if (this.#choose(12) === 11) ({ call } = step(call, { kind: 'abort', over: 'silent' }));
      const isOver = call.over !== undefined;
      const next = step(call, input);
      ({ call } = next);
      input = undefined;
      for (const effect of next.effects) {
        if (this.#dies()) return undefined;
        if (effect.kind === 'run' && !effect.run) expect(isOver, 'over').to.equal(false);
        input = this.#carryOut(effect);
        if (this.#dies()) return undefined;
      }
    }
    expect(isAtRest(call), call.state).to.equal(true);
    return call as OpenCall;
  }

  #carryOut(effect: Effect): Input | undefined {
    switch (effect.kind) {
      case 'record':
        if (this.#fails()) return { kind: 'not_recorded' };
        this.#row ??= { approval: null };
        return { kind: 'recorded' };
      case 'open_approval':
        if (this.#fails()) return { kind: 'not_opened' };
        if (this.#row) this.#row.approval ??= 'waiting';
        return { kind: 'opened', deadline };
      case 'read_decision':
        return this.#fails() ? { kind: 'undecided' } : this.#decide();
      case 'cancel_approval':
        if (this.#row?.approval === 'waiting' && !this.#fails()) this.#row.approval = 'cancelled';
        return { kind: 'withdrawn' };
      case 'end_run':
        return { kind: 'withdrawn' };
      case 'claim':
        return this.#claim();
      case 'run':
        return this.#run(effect.run !== null);
      case 'resume_run':
        return { kind: this.#fails() ? 'not_resumed' : 'resumed' };
      case 'end':
        if (effect.missing !== 'nothing') this.outcomes.push(effect.ending);
        return undefined;
      case 'keep_run':
      case 'enter_room':
      case 'leave_room':
      case 'tell_start':
      case 'tell_approval':
        return undefined;
    }
  }

  #dies(): boolean {
    const dies = this.#choose(12) === 11;
    if (dies) this.#granted = false;
    return dies;
  }

  #fails(): boolean {
    return this.#choose(6) === 5;
  }

  #decide(): Input {
    const approvals = ['approved', 'rejected', 'expired', 'cancelled', 'waiting'] as const;
    if (this.#row?.approval === 'waiting')
      this.#row.approval = approvals[this.#choose(approvals.length)] ?? 'approved';
    const approval = this.#row?.approval ?? 'cancelled';
    if (approval === 'waiting') return { kind: 'undecided' };
    return { kind: 'decided', approval, fits: true };
  }

  /** As PostgreSQL grants it: once, and never without the approval that was asked for. The answer may be lost. */
  #claim(): Input {
    const approval = this.#row?.approval ?? null;
    const granted =
      this.#row !== undefined &&
      !this.#started &&
      this.outcomes.length === 0 &&
      (approval === null || approval === 'approved');
    this.#started ||= granted;
    if (this.#fails()) return { kind: 'not_claimed' };
    this.#granted = granted;
    if (granted) return { kind: 'claimed' };
    if (this.outcomes.length > 0) return { kind: 'taken', standing: { kind: 'finished', result } };
    if (this.#started) return { kind: 'taken', standing: { kind: 'started' } };
    const stopped = approval === 'rejected' || approval === 'expired' ? approval : 'cancelled';
    return { kind: 'taken', standing: { kind: 'stopped', approval: stopped } };
  }

  #run(goesOn: boolean): Input {
    if (!goesOn) {
      this.runs += 1;
      expect(this.#granted, 'claimed').to.equal(true);
      if (this.#terms.kind === 'approval') expect(this.#row?.approval).to.equal('approved');
      expect(this.#terms.kind).not.to.equal('refused');
    }
    const ends = [
      { kind: 'result', result },
      { kind: 'failed', says: 'No.' },
      { kind: 'timed_out' },
      { kind: 'interrupted' },
      { kind: 'broken', err: 0 },
      { kind: 'suspended', run },
    ] as const;
    const ran = ends[this.#choose(this.#suspensions < 3 ? 6 : 5)] ?? ends[0];
    if (ran.kind === 'suspended') this.#suspensions += 1;
    return { kind: 'ran', ran, milliseconds: 1 };
  }
}

describe('a call in a world where everything may fail', () => {
  const choices = fc.array(fc.nat(59), { maxLength: 60 });

  it('is settled in the end, and never run twice or without its approval', () => {
    fc.assert(
      fc.property(fc.constantFrom(...terms), choices, (wanted, chosen) => {
        const world = new World(wanted, chosen);
        let rests: OpenCall = newCall();
        // Each round uses up a choice at least, and without choices two rounds are enough.
        for (let round = 0; rests.state !== 'finished'; round += 1) {
          expect(round, rests.state).to.be.lessThan(chosen.length + 5);
          // Who takes over goes on from where the call was stored.
          rests = world.advance(rests) ?? rests;
        }
        expect(world.runs).to.be.at.most(1);
        if (world.runs === 0) expect(world.outcomes).not.to.include('succeeded');
      }),
      fuzz(500),
    );
  });
});
