import { expect } from 'chai';
import { after, explore, type Model, type Step } from './explore.js';

/**
 * One tool call that needs an approval. Pod a makes it; pod b takes it up at any time, as a worker
 * does with a question whose holder it believes dead, and perhaps after the agent was changed to need
 * no approval. People decide, the deadline passes, the session ends, and either pod may crash.
 */
type Pod = {
  readonly name: 'a' | 'b';
  readonly terms: 'approval' | 'free';
  at:
    | 'idle'
    | 'record'
    | 'open'
    | 'wait'
    | 'withdraw'
    | 'claim'
    | 'run'
    | 'ran'
    | 'notRun'
    | 'done'
    | 'crashed';
};
type Final = 'approved' | 'rejected' | 'expired' | 'cancelled';
type World = {
  row: {
    exists: boolean;
    approval: null | 'waiting' | Final;
    started: boolean;
    finished: null | 'ran' | 'not run' | 'unknown';
  };
  ended: boolean;
  late: boolean;
  pods: Pod[];
  /** What happened, for the promises. */
  runs: number;
  firstDecision: Final | null;
  startedUnasked: boolean;
  startedAfterEnd: boolean;
};

/** Conditions of the updates, each of which a mutation removes. */
type Guards = {
  readonly claimOnce: boolean;
  readonly claimApproved: boolean;
  readonly claimWhileOn: boolean;
  readonly decideOnce: boolean;
  readonly notRunUnlessStarted: boolean;
};

const everything: Guards = {
  claimOnce: true,
  claimApproved: true,
  claimWhileOn: true,
  decideOnce: true,
  notRunUnlessStarted: true,
};

function approvals(guards: Guards, termsOfB: Pod['terms']): Model<World> {
  return {
    initial: {
      row: { exists: false, approval: null, started: false, finished: null },
      ended: false,
      late: false,
      pods: [
        { name: 'a', terms: 'approval', at: 'record' },
        { name: 'b', terms: termsOfB, at: 'idle' },
      ],
      runs: 0,
      firstDecision: null,
      startedUnasked: false,
      startedAfterEnd: false,
    },
    steps: (world) => [...others(world), ...world.pods.flatMap((_, n) => podSteps(world, n))],
    problemOf({ row, runs, firstDecision, startedUnasked, startedAfterEnd }) {
      if (runs > 1) return 'the tool ran twice';
      if (startedUnasked) return 'the tool ran without the approval that was asked for';
      if (runs > 0 && firstDecision !== null && firstDecision !== 'approved')
        return `the tool ran although it was ${firstDecision}`;
      if (startedAfterEnd) return 'the tool ran after its session had ended';
      if (runs > 0 && row.finished === 'not run') return 'the record says that it was not run';
      return undefined;
    },
  };

  /** packages/agent-runtime/src/calls/call-driver.ts, step by step. */
  function podSteps(world: World, n: number): Step<World>[] {
    const { name, at, terms } = world.pods[n]!;
    const { row } = world;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    const goTo = (does: string, next: Pod['at']) => act(does, (_, pod) => void (pod.at = next));
    const crash = goTo('crashes', 'crashed');
    switch (at) {
      case 'idle':
        return row.exists ? [goTo('takes it up', terms === 'free' ? 'claim' : 'open')] : [];
      // recordToolCall in packages/database/src/calls/tool-calls.ts
      case 'record':
        return [
          crash,
          act('records the call', (copy, pod) => {
            copy.row.exists = true;
            pod.at = 'open';
          }),
        ];
      // openApproval in packages/database/src/calls/approval-decisions.ts
      case 'open':
        return [
          crash,
          act('opens the approval', (copy, pod) => {
            open(copy);
            pod.at = copy.row.approval === null ? 'withdraw' : 'wait';
          }),
          act('opens the approval, and the reply is lost', (copy, pod) => {
            open(copy);
            pod.at = 'withdraw';
          }),
          goTo('cannot open the approval', 'withdraw'),
        ];
      case 'withdraw':
        return [
          crash,
          act('withdraws', (copy, pod) => {
            decide(copy, 'cancelled');
            pod.at = 'notRun';
          }),
          goTo('cannot withdraw', 'notRun'),
        ];
      case 'wait':
        if (row.approval === 'waiting')
          return [
            crash,
            act('withdraws', (copy, pod) => {
              decide(copy, 'cancelled');
              pod.at = 'notRun';
            }),
          ];
        return [
          crash,
          goTo('reads the decision', row.approval === 'approved' ? 'claim' : 'notRun'),
        ];
      // claimToolCall in packages/database/src/calls/tool-calls.ts
      case 'claim':
        return [
          crash,
          act('claims', (copy, pod) => void (pod.at = claim(copy, pod) ? 'run' : 'done')),
          act('claims, and the reply is lost', (copy, pod) => {
            claim(copy, pod);
            pod.at = 'notRun';
          }),
          goTo('cannot claim', 'notRun'),
        ];
      case 'run':
        return [
          crash,
          act('runs the tool', (copy, pod) => {
            copy.runs += 1;
            pod.at = 'ran';
          }),
        ];
      // finishToolCall in packages/database/src/calls/tool-calls.ts, by the journal
      case 'ran':
      case 'notRun':
        return [
          crash,
          act(`records that it ${at === 'ran' ? 'ran' : 'did not run'}`, (copy, pod) => {
            finish(copy, at === 'ran' ? 'ran' : 'not run');
            pod.at = 'done';
          }),
        ];
      case 'done':
      case 'crashed':
        return [];
    }
  }

  function open({ row }: World): void {
    if (row.approval === null && !row.started && row.finished === null) row.approval = 'waiting';
  }

  function claim(world: World, { terms }: Pod): boolean {
    const { row } = world;
    if (row.finished !== null || (guards.claimOnce && row.started)) return false;
    if (guards.claimApproved && row.approval !== null && row.approval !== 'approved') return false;
    if (guards.claimWhileOn && world.ended) return false;
    row.started = true;
    world.startedAfterEnd ||= world.ended;
    world.startedUnasked ||=
      row.approval === null ? terms === 'approval' : row.approval !== 'approved';
    return true;
  }

  function finish({ row }: World, as: 'ran' | 'not run' | 'unknown'): void {
    if (row.finished !== null) return;
    if (as === 'not run' && guards.notRunUnlessStarted && row.started) return;
    row.finished = as;
  }

  /** decideToolCall in packages/database/src/calls/approval-decisions.ts */
  function decide(world: World, verdict: Exclude<Final, 'expired'>): void {
    const { row, late } = world;
    if (row.approval === null || (guards.decideOnce && row.approval !== 'waiting')) return;
    row.approval = late && verdict !== 'cancelled' ? 'expired' : verdict;
    world.firstDecision ??= row.approval;
    if (row.approval === 'expired' && row.finished === null) row.finished = 'not run';
  }

  function others(world: World): Step<World>[] {
    const { row, ended, late } = world;
    const isOpen = row.approval !== null && row.finished === null;
    return [
      ...(isOpen
        ? [
            after(world, 'somebody approves', (copy) => decide(copy, 'approved')),
            after(world, 'somebody rejects', (copy) => decide(copy, 'rejected')),
          ]
        : []),
      ...(row.approval !== null && !late
        ? [after(world, 'the deadline passes', (copy) => void (copy.late = true))]
        : []),
      // expireDueApprovals, by apps/worker/src/processors/sweep-approvals.ts
      ...(row.approval === 'waiting' && late
        ? [after(world, 'the sweep expires it', (copy) => decide(copy, 'approved'))]
        : []),
      // endRealtimeSession and cancelSessionCalls, one transaction
      ...(ended
        ? []
        : [
            after(world, 'the session ends', (copy) => {
              copy.ended = true;
              if (copy.row.approval === 'waiting') decide(copy, 'cancelled');
              if (copy.row.exists) finish(copy, copy.row.started ? 'unknown' : 'not run');
            }),
          ]),
      // sessionsWithOpenCalls, by apps/worker/src/processors/close-lost-sessions.ts
      ...(ended && row.exists && row.finished === null
        ? [
            after(world, 'the sweep ends what was left open', (copy) => {
              if (copy.row.approval === 'waiting') decide(copy, 'cancelled');
              finish(copy, copy.row.started ? 'unknown' : 'not run');
            }),
          ]
        : []),
    ];
  }
}

describe('every interleaving of two pods with one tool call', () => {
  for (const terms of ['approval', 'free'] as const)
    it(`runs an approved tool at most once and no other (pod b: ${terms})`, () => {
      const { worlds, violation } = explore(approvals(everything, terms));
      expect(violation).to.equal(undefined);
      expect(worlds.length).to.be.above(500);
      expect(worlds.some(({ runs, row }) => runs === 1 && row.finished === 'ran')).to.equal(true);
    });

  const mutations: [keyof Guards, Pod['terms'], string][] = [
    ['claimOnce', 'approval', 'the tool ran twice'],
    ['claimApproved', 'free', 'the tool ran without the approval that was asked for'],
    ['claimWhileOn', 'approval', 'the tool ran after its session had ended'],
    ['decideOnce', 'approval', 'the tool ran although it was rejected'],
    ['notRunUnlessStarted', 'approval', 'the record says that it was not run'],
  ];
  for (const [guard, terms, problem] of mutations)
    it(`would be wrong without ${guard}: ${problem}`, () => {
      const { violation } = explore(approvals({ ...everything, [guard]: false }, terms));
      expect(violation?.problem).to.equal(problem);
    });
});
