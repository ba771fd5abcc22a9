import { after, byChance, type Model, type Step } from './explore.js';

/**
 * A resumable session of pod a, which pods b and c try to continue, because its client has come back
 * to both; whoever comes second may continue the session of the first in turn. A pod that has a
 * session may hang, drain, crash, and come back to life in the middle of a transaction, and the worker
 * may find its session lost. Pod a makes one call, which needs no approval. It may ask a sub-agent that
 * has to wait; then it is kept how far the call has got.
 */
type Name = 'a' | 'b' | 'c';
type Pod = {
  readonly name: Name;
  at: 'away' | 'locked' | 'settled' | 'on' | 'writing' | 'recording' | 'refused' | 'crashed';
  /** The session that it continues. */
  from: Name;
  /** What its transaction has read: whether its session has moved, or the model knows the call. */
  saw: boolean;
  /** What becomes of the call, which is then locked until the transaction ends. */
  settles: null | 'adopt' | 'end';
  call: 'none' | 'claim' | 'run' | 'wait' | 'goOn' | 'notRun';
  /** A claim is one statement, which sees the sessions as they were when the statement began. */
  claiming: null | { readonly session: Name; readonly ended: boolean };
};
type Session = { exists: boolean; ended: boolean; movedTo: Name | null; ticket: boolean };
export type World = {
  sessions: Record<Name, Session>;
  call: { exists: boolean; session: Name; started: boolean; kept: boolean; finished: boolean };
  pods: Pod[];
  /** What happened, for the promises. */
  runs: number;
  problem: string | null;
};

/** Each is removed by a mutation. */
export type Guards = {
  /** `for share` of movedSessions, and `for update` of takeOverSession. */
  readonly locks: boolean;
  /** writeChanges drops what `fencedBy` a moved session. */
  readonly fencedJournal: boolean;
  /** recordToolCall refuses a call of a moved session. */
  readonly fencedCalls: boolean;
  /** `moved_to` of takeOverSession. */
  readonly movedOnce: boolean;
  /** `ended_at is null` of claimToolCall, which takeOverSession sets. */
  readonly claimWhileOn: boolean;
  /** `session_id` of claimToolCall. */
  readonly claimOwn: boolean;
  /** resumeToolCall forgets what was kept, before anything goes on from there. */
  readonly keptOnce: boolean;
  /** `session_id` of resumeToolCall. */
  readonly resumeOwn: boolean;
  /** cancelSessionCalls, in the transaction of takeOverSession. */
  readonly endClaimed: boolean;
  /** restoreIn reads the past after the calls are settled. */
  readonly pastLast: boolean;
  /** sessionsWithOpenCalls, of the worker. */
  readonly sweep: boolean;
};

export const everything: Guards = {
  locks: true,
  fencedJournal: true,
  fencedCalls: true,
  movedOnce: true,
  claimWhileOn: true,
  claimOwn: true,
  keptOnce: true,
  resumeOwn: true,
  endClaimed: true,
  pastLast: true,
  sweep: true,
};

/** What there is: to combine all of it would take minutes. */
export type Scene = {
  /** Whether pods write what is said, and how their sessions end. */
  readonly writes: boolean;
  readonly calls: boolean;
  /** Whether the call may be one of a sub-agent that waits. */
  readonly waits: boolean;
  readonly successors: readonly Name[];
};

export function sessionEpoch(
  guards: Guards,
  { writes, calls, waits, successors }: Scene,
): Model<World> {
  const pod = (name: Name, at: Pod['at']): Pod => ({
    ...{ name, at, from: 'a', saw: false, settles: null, call: 'none', claiming: null },
  });
  const none: Session = { exists: false, ended: false, movedTo: null, ticket: false };
  return {
    initial: {
      sessions: { a: { ...none, exists: true, ticket: true }, b: none, c: none },
      call: { exists: false, session: 'a', started: false, kept: false, finished: false },
      pods: [pod('a', 'on'), ...successors.map((name) => pod(name, 'away'))],
      runs: 0,
      problem: null,
    },
    steps: (world) =>
      world.pods.flatMap(({ name, at }, n) => [
        ...(['away', 'refused', 'crashed'].includes(at) ? [] : byChance(crash(world, n))),
        ...successorSteps(world, n),
        ...ownerSteps(world, n),
        ...callSteps(world, n),
        ...workerSteps(world, name),
      ]),
    problemOf: ({ runs, problem }) => (runs > 1 ? 'the tool ran twice' : (problem ?? undefined)),
    problemAtRest: ({ call }) =>
      call.exists && !call.finished ? 'the call was forgotten' : undefined,
  };

  /** Its transaction is rolled back. */
  function crash(world: World, n: number): Step<World> {
    const { name } = world.pods[n]!;
    return after(world, `${name} crashes`, (copy) => {
      copy.pods[n] = pod(name, 'crashed');
    });
  }

  function isTaking({ at }: Pod): boolean {
    return at === 'locked' || at === 'settled';
  }

  /** Whether somebody takes the session over at this moment. */
  function isHeld({ pods }: World, session: Name): boolean {
    return guards.locks && pods.some((each) => isTaking(each) && each.from === session);
  }

  /** Whether its pod writes, so that nobody can change the session. */
  function isShared({ pods }: World, session: Name): boolean {
    const { at } = pods.find(({ name }) => name === session)!;
    return guards.locks && (at === 'writing' || (at === 'recording' && guards.fencedCalls));
  }

  function isCallLocked({ pods }: World): boolean {
    return pods.some(({ at, settles }) => at === 'settled' && settles !== null);
  }

  function ownerSteps(world: World, n: number): Step<World>[] {
    const { name, at } = world.pods[n]!;
    const { call } = world;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    const begin = (does: string, next: 'writing' | 'recording') =>
      act(does, (copy, pod) => {
        Object.assign(pod, { at: next, saw: copy.sessions[name].movedTo !== null });
      });
    switch (at) {
      case 'on':
        return byChance(
          // writeChanges in packages/database/src/journal/record-changes.ts
          ...(writes && !isHeld(world, name) ? [begin('begins to write', 'writing')] : []),
          // recordToolCall in packages/database/src/calls/tool-calls.ts
          ...(calls && name === 'a' && !call.exists && !(guards.fencedCalls && isHeld(world, name))
            ? [begin('begins to record a call', 'recording')]
            : []),
        );
      case 'writing': {
        const commit = (end?: 'handed over' | 'over') => (copy: World, pod: Pod) => {
          const { saw } = pod;
          Object.assign(pod, { at: 'on', saw: false });
          if (guards.fencedJournal && saw) return;
          noteWrite(copy, name);
          if (end === undefined) return;
          // endRealtimeSession in packages/database/src/conversations/realtime-sessions.ts
          const session = copy.sessions[name];
          session.ended = true;
          session.ticket &&= end === 'handed over';
          if (!session.ticket) endCalls(copy, name);
        };
        return [
          act('commits what was said', commit()),
          ...byChance(
            act('commits the end of the session', commit('over')),
            act('commits that it hands the session over', commit('handed over')),
          ),
        ];
      }
      case 'recording':
        return [
          act('commits the call', (copy, pod) => {
            const { saw } = pod;
            Object.assign(pod, { at: 'on', saw: false });
            if (guards.fencedCalls && saw) return;
            noteWrite(copy, name);
            copy.call.exists = true;
            pod.call = 'claim';
          }),
        ];
      case 'away':
      case 'locked':
      case 'settled':
      case 'refused':
      case 'crashed':
        return [];
    }
  }

  function noteWrite(world: World, name: Name): void {
    if (world.sessions[name].movedTo !== null)
      world.problem ??= 'the former pod wrote after it had lost the session';
  }

  /** cancelSessionCalls in packages/database/src/calls/cancel-calls.ts */
  function endCalls({ call }: World, session: Name): void {
    if (call.exists && call.session === session) call.finished = true;
  }

  /** What a pod does with the call that it has made or adopted. */
  function callSteps(world: World, n: number): Step<World>[] {
    const { name, at, call: next, claiming } = world.pods[n]!;
    const { sessions, call } = world;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    if (at !== 'on' || next === 'none') return [];
    if (next === 'claim' && claiming === null)
      return [
        act('begins to claim', (_, pod) => {
          const { session } = call;
          pod.claiming = { session, ended: sessions[session].ended };
        }),
      ];
    if (isCallLocked(world)) return [];
    switch (next) {
      // claimToolCall in packages/database/src/calls/tool-calls.ts
      case 'claim':
        return [
          act('claims', (copy, pod) => {
            // The statement does not see a session that began after it.
            const isOver = claiming!.session === call.session && claiming!.ended;
            pod.claiming = null;
            pod.call = 'notRun';
            if (call.finished || call.started || (guards.claimWhileOn && isOver)) return;
            if (guards.claimOwn && call.session !== name) return;
            pod.call = 'run';
            copy.call.started = true;
            if (sessions[name].movedTo !== null)
              copy.problem ??= 'the former pod started a tool after it had lost the session';
          }),
        ];
      // suspendToolCall and resumeToolCall in packages/database/src/calls/tool-calls.ts
      case 'wait':
        return [
          act('goes on with the sub-agent', (copy, pod) => {
            pod.call = 'none';
            if ((guards.resumeOwn && call.session !== name) || call.finished) return;
            pod.call = 'goOn';
            if (guards.keptOnce) copy.call.kept = false;
          }),
        ];
      // finishToolCall in packages/database/src/calls/tool-calls.ts
      case 'run':
      case 'goOn':
        return [
          ...(waits && next === 'run'
            ? byChance(
                act('keeps how far the sub-agent has got', (copy, pod) => {
                  pod.call = 'none';
                  if (call.session !== name || call.finished) return;
                  pod.call = 'wait';
                  copy.call.kept = true;
                }),
              )
            : []),
          act('runs the tool, and records the outcome', (copy, pod) => {
            pod.call = 'none';
            copy.runs += 1;
            if (call.session !== name || call.finished) return;
            noteWrite(copy, name);
            copy.call.finished = true;
          }),
        ];
      case 'notRun':
        return [
          act('records that it did not run', (copy, pod) => {
            pod.call = 'none';
            if (call.session !== name || call.started) return;
            copy.call.finished = true;
          }),
        ];
    }
  }

  /** restoreIn in apps/realtime-gateway/src/records/session-records.ts */
  function successorSteps(world: World, n: number): Step<World>[] {
    const { name, at, from } = world.pods[n]!;
    const { call, sessions } = world;
    const act = (does: string, change: (copy: World, pod: Pod) => void) =>
      after(world, `${name} ${does}`, (copy) => change(copy, copy.pods[n]!));
    const isInvolved = call.exists && call.session === from && !call.finished;
    switch (at) {
      // takeOverSession in packages/database/src/conversations/realtime-sessions.ts
      case 'away': {
        // The successors are alike, so it does not matter which of them asks first.
        if (name === 'c' && world.pods[1]!.at === 'away') return [];
        if (isHeld(world, from) || isShared(world, from)) return [];
        const { movedTo, ticket } = sessions[from];
        if (guards.movedOnce && movedTo !== null)
          return byChance(
            act(`goes on to the session of ${movedTo}`, (_, pod) => void (pod.from = movedTo)),
          );
        return byChance(
          act('asks for the session', (_, pod) => {
            pod.at = ticket ? 'locked' : 'refused';
            pod.saw = !guards.pastLast && !isInvolved;
          }),
        );
      }
      // adoptSessionCalls and cancelSessionCalls in packages/database/src/calls
      case 'locked':
        return [
          act('settles the calls', (_, pod) => {
            pod.at = 'settled';
            if (isInvolved && (!call.started || call.kept)) pod.settles = 'adopt';
            else if (isInvolved && guards.endClaimed) pod.settles = 'end';
            if (guards.pastLast) pod.saw = !isInvolved || pod.settles !== null;
            else pod.saw ||= pod.settles === 'adopt';
          }),
        ];
      case 'settled': {
        const commit =
          (next: 'on' | 'crashed' | 'refused', ends = false) =>
          (copy: World, pod: Pod) => {
            const { settles, saw } = pod;
            Object.assign(pod, { at: next, from: 'a', saw: false, settles: null });
            const former = copy.sessions[from];
            if (former.movedTo !== null) copy.problem ??= 'two pods continued it';
            former.movedTo = name;
            former.ended = true;
            // Without movedOnce, nothing remembers that the ticket was used.
            if (guards.movedOnce) former.ticket = false;
            if (settles === 'end' || ends) endCalls(copy, from);
            if (ends) return;
            copy.sessions[name] = { exists: true, ended: false, movedTo: null, ticket: true };
            if (!saw) copy.problem ??= 'the model of the next pod does not know of the call';
            if (settles !== 'adopt') return;
            copy.call.session = name;
            if (next === 'on') pod.call = call.kept ? 'wait' : 'claim';
          };
        return [
          act('continues the session', commit('on')),
          ...byChance(
            act('takes the session over, and the reply is lost', commit('crashed')),
            act('takes the session over, and may not continue it', commit('refused', true)),
          ),
        ];
      }
      case 'on':
      case 'writing':
      case 'recording':
      case 'refused':
      case 'crashed':
        return [];
    }
  }

  /** apps/worker/src/processors/close-lost-sessions.ts */
  function workerSteps(world: World, name: Name): Step<World>[] {
    const { exists, ended, ticket } = world.sessions[name];
    const isGone = world.pods.some((each) => each.name === name && each.at === 'crashed');
    if (!exists || isHeld(world, name) || isShared(world, name)) return [];
    const act = (does: string, change: (copy: World, its: Session) => void) =>
      after(world, `the worker ${does} ${name}`, (copy) => change(copy, copy.sessions[name]));
    if (!ended) {
      const lose = act('finds nobody at the session of', (_, its) => void (its.ended = true));
      return isGone ? [lose] : byChance(lose);
    }
    if (ticket)
      return [act('lets nobody continue the session of', (_, its) => void (its.ticket = false))];
    if (!guards.sweep || isCallLocked(world)) return [];
    return [act('ends what is open of the session of', (copy) => endCalls(copy, name))];
  }
}
