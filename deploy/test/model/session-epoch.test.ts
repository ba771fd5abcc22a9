import { expect } from 'chai';
import { after, explore, type Model, type Step } from './explore.js';

/**
 * A resumable session of pod a, which two other pods try to continue at once, because its client has
 * come back to both: a may hang, drain, crash, and come back to life in the middle of a transaction.
 */
type Owner = {
  at: 'idle' | 'writing' | 'recording' | 'crashed';
  /** What its transaction, or its claim, has read. */
  sawMoved: boolean;
  /** A claim is one statement, which sees the session as it was when the statement began. */
  claiming: null | { readonly ended: boolean };
  writes: number;
};
type Successor = {
  readonly name: 'b' | 'c';
  at: 'wait' | 'locked' | 'scanned' | 'owns' | 'refused' | 'crashed';
  /** Whether it has found the call, which is then locked until its transaction ends. */
  sawCall: boolean;
};
type World = {
  session: { ended: null | 'moved' | 'handed over' | 'over'; moved: boolean; ticket: boolean };
  call: { exists: boolean; started: boolean; finished: boolean };
  a: Owner;
  successors: Successor[];
  /** What happened, for the promises. */
  wroteAfterMove: boolean;
  startedAfterMove: boolean;
};

/** Each is removed by a mutation. */
type Guards = {
  /** `for share` of movedSessions, and `for update` of takeOverSession. */
  readonly locks: boolean;
  /** writeChanges drops what `fencedBy` a moved session. */
  readonly fencedJournal: boolean;
  /** recordToolCall refuses a call of a moved session. */
  readonly fencedCalls: boolean;
  /** `moved_at is null` of takeOverSession. */
  readonly movedOnce: boolean;
  /** `ended_at is null` of claimToolCall, which takeOverSession sets. */
  readonly claimWhileOn: boolean;
  /** cancelSessionCalls, in the transaction of takeOverSession. */
  readonly endsCalls: boolean;
};

const everything: Guards = {
  locks: true,
  fencedJournal: true,
  fencedCalls: true,
  movedOnce: true,
  claimWhileOn: true,
  endsCalls: true,
};
const mostWrites = 2;

function sessionEpoch(guards: Guards): Model<World> {
  return {
    initial: {
      session: { ended: null, moved: false, ticket: true },
      call: { exists: false, started: false, finished: false },
      a: { at: 'idle', sawMoved: false, claiming: null, writes: 0 },
      successors: [
        { name: 'b', at: 'wait', sawCall: false },
        { name: 'c', at: 'wait', sawCall: false },
      ],
      wroteAfterMove: false,
      startedAfterMove: false,
    },
    steps: (world) => [
      ...ownerSteps(world),
      ...world.successors.flatMap((_, n) => successorSteps(world, n)),
    ],
    problemOf({ successors, wroteAfterMove, startedAfterMove }) {
      if (successors.filter(({ at }) => at === 'owns').length > 1) return 'two pods continued it';
      if (wroteAfterMove) return 'the former pod wrote after it had lost the session';
      if (startedAfterMove) return 'the former pod started a tool after it had lost the session';
      return undefined;
    },
  };

  function isLockedByOther(world: World, name?: string): boolean {
    if (!guards.locks) return false;
    const exclusive = world.successors.some(
      (each) => each.name !== name && (each.at === 'locked' || each.at === 'scanned'),
    );
    return exclusive || (name !== undefined && holdsShare(world));
  }

  function holdsShare({ a }: World): boolean {
    return a.at === 'writing' || (a.at === 'recording' && guards.fencedCalls);
  }

  function ownerSteps(world: World): Step<World>[] {
    const { a, call, session } = world;
    const act = (does: string, change: (copy: World) => void) => after(world, `a ${does}`, change);
    if (a.at === 'crashed') return [];
    const steps = [
      act('crashes', (copy) => {
        copy.a = { ...copy.a, at: 'crashed', claiming: null };
      }),
    ];
    // writeChanges in packages/database/src/journal/record-changes.ts
    if (a.at === 'idle' && a.writes < mostWrites && !isLockedByOther(world))
      steps.push(
        act('begins to write', (copy) => {
          Object.assign(copy.a, { at: 'writing', sawMoved: copy.session.moved });
          copy.a.writes += 1;
        }),
      );
    if (a.at === 'writing') {
      const commit = (copy: World, end?: 'handed over' | 'over') => {
        copy.a.at = 'idle';
        if (guards.fencedJournal && copy.a.sawMoved) return;
        copy.wroteAfterMove ||= copy.session.moved;
        // endRealtimeSession in packages/database/src/conversations/realtime-sessions.ts
        if (end === undefined || copy.session.ended !== null) return;
        copy.session.ended = end;
        if (end === 'over') copy.session.ticket = false;
        if (copy.call.exists) copy.call.finished = true;
      };
      steps.push(
        act('commits what was said', (copy) => commit(copy)),
        act('commits the end of the session', (copy) => commit(copy, 'over')),
        act('commits that it hands the session over', (copy) => commit(copy, 'handed over')),
      );
    }
    // recordToolCall in packages/database/src/calls/tool-calls.ts
    if (a.at === 'idle' && !call.exists && (!guards.fencedCalls || !isLockedByOther(world)))
      steps.push(
        act('begins to record a call', (copy) => {
          Object.assign(copy.a, { at: 'recording', sawMoved: copy.session.moved });
        }),
      );
    if (a.at === 'recording')
      steps.push(
        act('commits the call', (copy) => {
          copy.a.at = 'idle';
          if (guards.fencedCalls && copy.a.sawMoved) return;
          copy.wroteAfterMove ||= copy.session.moved;
          copy.call.exists = true;
        }),
      );
    // claimToolCall in packages/database/src/calls/tool-calls.ts
    if (a.at === 'idle' && a.claiming === null && call.exists && !call.started)
      steps.push(
        act('begins to claim', (copy) => {
          copy.a.claiming = { ended: session.ended !== null };
        }),
      );
    const isCallLocked = world.successors.some(({ at, sawCall }) => at === 'scanned' && sawCall);
    if (a.claiming !== null && !isCallLocked)
      steps.push(
        act('claims and runs', (copy) => {
          const { ended } = copy.a.claiming!;
          copy.a.claiming = null;
          if (copy.call.finished || copy.call.started || (guards.claimWhileOn && ended)) return;
          copy.call.started = true;
          copy.startedAfterMove ||= copy.session.moved;
        }),
      );
    return steps;
  }

  /** takeOverSession in packages/database/src/conversations/realtime-sessions.ts, by restoreIn. */
  function successorSteps(world: World, n: number): Step<World>[] {
    const { name, at } = world.successors[n]!;
    const { session } = world;
    const act = (does: string, change: (copy: World, pod: Successor) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.successors[n]!));
    const crash = act('crashes', (_, pod) => void (pod.at = 'crashed'));
    switch (at) {
      case 'wait': {
        if (isLockedByOther(world, name)) return [crash];
        const isFree = !(guards.movedOnce && session.moved) && session.ticket;
        const mayContinue = isFree && (session.ended === null || session.ended === 'handed over');
        return [
          crash,
          act(
            'asks for the session',
            (_, pod) => void (pod.at = mayContinue ? 'locked' : 'refused'),
          ),
        ];
      }
      case 'locked':
        return [
          crash,
          act('looks for open calls', (copy, pod) => {
            pod.at = 'scanned';
            pod.sawCall = guards.endsCalls && copy.call.exists && !copy.call.finished;
          }),
        ];
      case 'scanned': {
        const commit = (copy: World, pod: Successor) => {
          copy.session.moved = true;
          // Without movedOnce, nothing remembers that the ticket was used.
          if (guards.movedOnce) copy.session.ticket = false;
          copy.session.ended ??= 'moved';
          if (pod.sawCall) copy.call.finished = true;
        };
        return [
          crash,
          act('continues the session', (copy, pod) => {
            commit(copy, pod);
            pod.at = 'owns';
          }),
          act('takes the session over, and the reply is lost', (copy, pod) => {
            commit(copy, pod);
            pod.at = 'refused';
          }),
        ];
      }
      case 'owns':
      case 'refused':
      case 'crashed':
        return [];
    }
  }
}

describe('every interleaving of a session’s pod with two that would continue it', () => {
  it('has at most one successor, and nothing of the former pod after it', () => {
    const { worlds, violation } = explore(sessionEpoch(everything));
    expect(violation).to.equal(undefined);
    expect(worlds.length).to.be.above(1000);
    expect(worlds.some(({ successors }) => successors.some(({ at }) => at === 'owns'))).to.equal(
      true,
    );
    expect(worlds.some(({ call }) => call.started)).to.equal(true);
  });

  it('runs no tool of the former pod even if a claim did not look at the session', () => {
    expect(explore(sessionEpoch({ ...everything, claimWhileOn: false })).violation).to.equal(
      undefined,
    );
  });

  const mutations: [keyof Guards, string][] = [
    ['locks', 'the former pod wrote after it had lost the session'],
    ['fencedJournal', 'the former pod wrote after it had lost the session'],
    ['fencedCalls', 'the former pod wrote after it had lost the session'],
    ['movedOnce', 'two pods continued it'],
    ['endsCalls', 'the former pod started a tool after it had lost the session'],
  ];
  for (const [guard, problem] of mutations)
    it(`would be wrong without ${guard}: ${problem}`, () => {
      const { violation } = explore(sessionEpoch({ ...everything, [guard]: false }));
      expect(violation?.problem).to.equal(problem);
    });
});
