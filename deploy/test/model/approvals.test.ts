import { expect } from 'chai';
import {
  callRecord,
  everything,
  type Guards,
  type Place,
  type Pod,
  type Session,
  type Terms,
  type World,
} from './call-record.js';
import { after, byChance, explore, type Model, type Step } from './explore.js';

/**
 * One tool call that needs an approval. Pod a makes it, and pod b goes on with it at any time: a worker
 * takes up a question whose holder it believes dead; a gateway continues a session, and adopts the
 * call if nobody has started it. Pod a may be dead by then, or only suspended. The agent may have been
 * changed to need no approval. People decide, the deadline passes, sessions end or are found lost,
 * and either pod may crash.
 */
function approvals(guards: Guards, place: Place, termsOfB: Terms): Model<World> {
  const { isOwn, open, withdraw, claim, standingOf, finish, decide, cancelCalls, recordEnd } =
    callRecord(guards, place);
  return {
    initial: {
      row: { exists: false, session: 'a', approval: null, started: false, finished: null },
      sessions: {
        a: { ended: false, ticket: place === 'session' },
        b: { ended: false, ticket: place === 'session' },
      },
      moved: false,
      late: false,
      pods: [
        { name: 'a', terms: 'approval', at: 'record' },
        { name: 'b', terms: termsOfB, at: 'idle' },
      ],
      runs: 0,
      firstDecision: null,
      startedUnasked: false,
      askedAfterEnd: false,
      startedAfterEnd: false,
      changedByFormer: false,
      endedTooEarly: false,
    },
    steps: (world) =>
      isOver(world)
        ? []
        : [
            ...world.pods.flatMap((_, n) => podSteps(world, n)),
            ...peopleSteps(world),
            ...(place === 'session' ? sessionSteps(world) : questionSteps(world)),
          ],
    problemOf(world) {
      const { row, runs, firstDecision } = world;
      if (runs > 1) return 'the tool ran twice';
      if (world.startedUnasked) return 'the tool ran without the approval that was asked for';
      if (runs > 0 && firstDecision !== null && firstDecision !== 'approved')
        return `the tool ran although it was ${firstDecision}`;
      if (world.askedAfterEnd) return 'somebody was asked after the session had ended';
      if (world.startedAfterEnd) return 'the tool ran after its session had ended';
      if (runs > 0 && row.finished === 'not run') return 'the record says that it was not run';
      if (world.changedByFormer) return 'the former pod changed a call that it had lost';
      if (world.endedTooEarly) return 'the call was ended although its session can be continued';
      return undefined;
    },
    problemAtRest({ row, sessions }) {
      // If the reply to a claim was lost, the end of the session ends the call.
      const endsLater = row.started && !sessions[row.session].ended;
      const isOpen = row.exists && row.finished === null;
      return isOpen && !endsLater ? 'the call was forgotten' : undefined;
    },
  };

  /** Whether nothing can happen to the call any more. */
  function isOver({ row, pods }: World): boolean {
    return (
      row.finished !== null && pods.every(({ at }) => ['idle', 'done', 'crashed'].includes(at))
    );
  }

  /** packages/agent-runtime/src/calls/call-machine.ts, step by step. */
  function podSteps(world: World, n: number): Step<World>[] {
    const { name, at } = world.pods[n]!;
    const { row, moved } = world;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    const goTo = (does: string, next: Pod['at']) => act(does, (_, pod) => void (pod.at = next));
    const crash = () => goTo('crashes', 'crashed');
    switch (at) {
      case 'idle':
        return place === 'session' ? continueSession(act) : takeUp(world, act);
      // recordToolCall in packages/database/src/calls/tool-calls.ts
      case 'record': {
        const record = (next: Pod['at']) => (copy: World, pod: Pod) => {
          copy.row.exists ||= !moved;
          pod.at = moved ? 'done' : next;
        };
        return [
          act('records the call', record('open')),
          ...byChance(
            crash(),
            act('records the call, and the reply is lost', record('notRun')),
            goTo('cannot record the call', 'notRun'),
          ),
        ];
      }
      case 'open':
        return [
          act('opens the approval', (copy, pod) => {
            pod.at = open(copy, pod) ? 'wait' : 'withdraw';
          }),
          ...byChance(
            crash(),
            act('opens the approval, and the reply is lost', (copy, pod) => {
              open(copy, pod);
              pod.at = 'withdraw';
            }),
            goTo('cannot open the approval', 'withdraw'),
          ),
        ];
      case 'withdraw':
        return [
          act('withdraws', (copy, pod) => withdraw(copy, pod)),
          ...byChance(crash(), goTo('cannot withdraw', 'notRun')),
        ];
      case 'wait': {
        const { approval } = row;
        if (!isOwn(world, world.pods[n]!))
          return [goTo('finds no call', 'notRun'), ...byChance(crash())];
        if (approval === 'waiting')
          return byChance(
            crash(),
            act('withdraws', (copy, pod) => withdraw(copy, pod)),
          );
        return [
          goTo('reads the decision', approval === 'approved' ? 'claim' : 'notRun'),
          ...byChance(crash()),
        ];
      }
      case 'claim':
        return [
          act('claims', (copy, pod) => {
            pod.at = claim(copy, pod) ? 'run' : standingOf(copy, pod);
          }),
          ...byChance(
            crash(),
            act('claims, and the reply is lost', (copy, pod) => {
              claim(copy, pod);
              pod.at = 'notRun';
            }),
            goTo('cannot claim', 'notRun'),
          ),
        ];
      case 'run':
        return [
          act('runs the tool', (copy, pod) => {
            copy.runs += 1;
            pod.at = 'ran';
          }),
          ...byChance(crash(), goTo('is told to stop', 'unknown')),
        ];
      // finishToolCall in packages/database/src/calls/tool-calls.ts, by the journal
      case 'ran':
      case 'notRun':
      case 'unknown': {
        const end = ({ ran: 'ran', notRun: 'not run', unknown: 'unknown' } as const)[at];
        return [
          act(`records the end: ${end}`, (copy, pod) => {
            copy.row.exists ||= !moved;
            finish(copy, end, pod);
            pod.at = 'done';
          }),
          ...byChance(crash()),
        ];
      }
      case 'done':
      case 'crashed':
        return [];
    }

    type Act = typeof act;

    /** A worker, with a question. */
    function takeUp({ pods }: World, act: Act): Step<World>[] {
      if (!row.exists) return [];
      const step = act('takes it up', (_, pod) => {
        pod.at = termsOfB === 'free' ? 'claim' : 'open';
      });
      return pods[0]!.at === 'crashed' ? [step] : byChance(step);
    }

    /**
     * restoreIn in apps/realtime-gateway/src/records/session-records.ts: one transaction, which
     * session-epoch.ts takes apart.
     */
    function continueSession(act: Act): Step<World>[] {
      if (!world.sessions.a.ticket) return [];
      const takeOver = (copy: World) => {
        copy.moved = true;
        copy.sessions.a = { ended: true, ticket: false };
      };
      return byChance(
        act('continues the session', (copy, pod) => {
          takeOver(copy);
          const { exists, started, finished, approval } = copy.row;
          pod.at = 'done';
          if (exists && !started && finished === null) {
            copy.row.session = 'b';
            const isAsked = approval !== null;
            pod.at = isAsked ? 'wait' : termsOfB === 'free' ? 'claim' : 'open';
          }
          cancelCalls(copy, 'a');
        }),
        act('takes the session over, and may not continue it', (copy, pod) => {
          takeOver(copy);
          pod.at = 'crashed';
          cancelCalls(copy, 'a');
        }),
      );
    }
  }

  /** Over REST, whichever session has the call. */
  function peopleSteps(world: World): Step<World>[] {
    const { row, late } = world;
    if (row.approval === null || (guards.decideOnce && row.approval !== 'waiting')) return [];
    return [
      ...byChance(
        after(world, 'somebody approves', (copy) => decide(copy, 'approved')),
        after(world, 'somebody rejects', (copy) => decide(copy, 'rejected')),
      ),
      after(world, 'the deadline passes', (copy) => void (copy.late = true)),
      // expireDueApprovals, by apps/worker/src/processors/sweep-approvals.ts
      ...(row.approval === 'waiting' && late
        ? [after(world, 'the sweep expires it', (copy) => decide(copy, 'approved'))]
        : []),
    ];
  }

  function questionSteps(world: World): Step<World>[] {
    const isAlone = world.pods.every(({ at }) => at === 'crashed');
    const end = after(world, 'the question is over', (copy) => {
      copy.sessions.a.ended = true;
      cancelCalls(copy, 'a');
    });
    return isAlone ? [end] : byChance(end);
  }

  function sessionSteps(world: World): Step<World>[] {
    const begun = world.moved ? world.pods : world.pods.slice(0, 1);
    return begun.flatMap(({ name, at }, n) => {
      const session = world.sessions[name];
      const isGone = at === 'crashed';
      const isOwned = !isGone && (!session.ended || session.ticket);
      const act = (does: string, change: (copy: World, its: Session) => void) =>
        after(world, `${does} ${name}’s session`, (copy) => change(copy, copy.sessions[name]));
      const lose = act('the worker finds nobody at', (copy, its) => {
        its.ended = true;
        if (!guards.keptIfLost || !its.ticket) cancelCalls(copy, name);
      });
      const steps: Step<World>[] = [];
      // The journal drops what a pod writes about a session that has moved, which has no ticket.
      if (isOwned)
        steps.push(...byChance(act('its user ends', (copy) => recordEnd(copy, name, false))));
      if (isOwned && ['open', 'wait', 'done'].includes(at))
        steps.push(
          ...byChance(
            act(`${name} hands over`, (copy) => {
              copy.pods[n]!.at = 'done';
              recordEnd(copy, name, true);
            }),
          ),
        );
      // apps/worker/src/processors/close-lost-sessions.ts
      if (!session.ended) steps.push(...(isGone ? [lose] : byChance(lose)));
      if (session.ended && session.ticket && guards.graceEnds)
        steps.push(act('nobody has continued', (_, its) => void (its.ticket = false)));
      if (session.ended && !session.ticket && world.row.session === name)
        steps.push(act('the sweep ends what is open of', (copy) => cancelCalls(copy, name)));
      return steps;
    });
  }
}

describe('every interleaving of two pods with one tool call', () => {
  for (const place of ['question', 'session'] as const)
    for (const terms of ['approval', 'free'] as const)
      it(`runs an approved tool at most once and no other (${place}; pod b: ${terms})`, () => {
        const { worlds, violation } = explore(approvals(everything, place, terms));
        expect(violation, violation?.trace.join(', ')).to.equal(undefined);
        expect(worlds.length).to.be.above(500);
        for (const n of [0, 1])
          expect(worlds.some(({ pods }) => pods[n]!.at === 'ran')).to.equal(true);
      });

  const foreign = 'the former pod changed a call that it had lost';
  const early = 'the call was ended although its session can be continued';
  const mutations: [keyof Guards, Place, Terms, string][] = [
    ['claimOnce', 'question', 'approval', 'the tool ran twice'],
    ['claimApproved', 'question', 'free', 'the tool ran without the approval that was asked for'],
    ['claimWhileOn', 'question', 'free', 'the tool ran after its session had ended'],
    ['claimWhileOn', 'session', 'approval', 'the tool ran after its session had ended'],
    ['openWhileOn', 'question', 'approval', 'somebody was asked after the session had ended'],
    ['openWhileOn', 'session', 'approval', 'somebody was asked after the session had ended'],
    ['decideOnce', 'session', 'approval', 'the tool ran although it was rejected'],
    ['notRunUnlessStarted', 'question', 'approval', 'the record says that it was not run'],
    ['claimOwn', 'session', 'approval', foreign],
    ['openOwn', 'session', 'approval', foreign],
    ['withdrawOwn', 'session', 'approval', foreign],
    ['finishOwn', 'session', 'approval', foreign],
    ['keptIfEndedBefore', 'session', 'approval', early],
    ['keptIfLost', 'session', 'approval', early],
    ['graceEnds', 'session', 'approval', 'the call was forgotten'],
  ];
  for (const [guard, place, terms, problem] of mutations)
    it(`would be wrong without ${guard} (${place}): ${problem}`, () => {
      const { violation } = explore(approvals({ ...everything, [guard]: false }, place, terms));
      expect(violation?.problem).to.equal(problem);
    });
});
