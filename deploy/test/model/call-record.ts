/** One tool call of a question or of a session, and what the pods that go on with it have reached. */
type Name = 'a' | 'b';
export type Place = 'question' | 'session';
export type Terms = 'approval' | 'free';
export type Pod = {
  readonly name: Name;
  /** What the call needs by the agent as this pod has read it. */
  readonly terms: Terms;
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
    | 'unknown'
    | 'done'
    | 'crashed';
};
type Final = 'approved' | 'rejected' | 'expired' | 'cancelled';
type End = 'ran' | 'not run' | 'unknown';
export type Session = {
  ended: boolean;
  /** With its ticket, another pod can continue it. */
  ticket: boolean;
};
export type World = {
  row: {
    exists: boolean;
    session: Name;
    approval: null | 'waiting' | Final;
    started: boolean;
    finished: null | End;
  };
  sessions: Record<Name, Session>;
  moved: boolean;
  late: boolean;
  pods: Pod[];
  /** What happened, for the promises. */
  runs: number;
  firstDecision: Final | null;
  startedUnasked: boolean;
  askedAfterEnd: boolean;
  startedAfterEnd: boolean;
  changedByFormer: boolean;
  endedTooEarly: boolean;
};

/** Conditions of the updates, each of which a mutation removes. */
export type Guards = {
  readonly claimOnce: boolean;
  readonly claimApproved: boolean;
  readonly claimWhileOn: boolean;
  readonly openWhileOn: boolean;
  readonly decideOnce: boolean;
  readonly notRunUnlessStarted: boolean;
  /** The session of a call that updateCall looks for, for each of those who name it. */
  readonly claimOwn: boolean;
  readonly openOwn: boolean;
  readonly withdrawOwn: boolean;
  readonly finishOwn: boolean;
  /** What endRealtimeSession answers if the session has ended before. */
  readonly keptIfEndedBefore: boolean;
  /** endLostSession keeps the calls of a session that can be continued. */
  readonly keptIfLost: boolean;
  /** endUnclaimedSessions, after the grace. */
  readonly graceEnds: boolean;
};

export const everything: Guards = {
  claimOnce: true,
  claimApproved: true,
  claimWhileOn: true,
  openWhileOn: true,
  decideOnce: true,
  notRunUnlessStarted: true,
  claimOwn: true,
  openOwn: true,
  withdrawOwn: true,
  finishOwn: true,
  keptIfEndedBefore: true,
  keptIfLost: true,
  graceEnds: true,
};

/** The statements of packages/database that change the call and its session, each of them atomic. */
export function callRecord(guards: Guards, place: Place) {
  return { isOwn, open, withdraw, claim, standingOf, finish, decide, cancelCalls, recordEnd };

  /** The session that a pod acts for. The pods of a question act for the same one. */
  function sessionOf(pod: Pod): Name {
    return place === 'question' ? 'a' : pod.name;
  }

  function isOwn({ row }: World, pod: Pod): boolean {
    return row.session === sessionOf(pod);
  }

  /** Whether the call waits, or has a decision. openApproval in approval-decisions.ts */
  function open(world: World, pod: Pod): boolean {
    const { row, sessions } = world;
    const { ended } = sessions[row.session];
    if (guards.openOwn && !isOwn(world, pod)) return false;
    const isOn = !guards.openWhileOn || !ended;
    if (isOn && row.approval === null && !row.started && row.finished === null) {
      row.approval = 'waiting';
      world.askedAfterEnd ||= ended;
      world.changedByFormer ||= !isOwn(world, pod);
    }
    return row.approval !== null;
  }

  function withdraw(world: World, pod: Pod): void {
    pod.at = 'notRun';
    if (guards.withdrawOwn && !isOwn(world, pod)) return;
    world.changedByFormer ||= world.row.approval === 'waiting' && !isOwn(world, pod);
    decide(world, 'cancelled');
  }

  /** claimToolCall in packages/database/src/calls/tool-calls.ts */
  function claim(world: World, pod: Pod): boolean {
    const { row, sessions } = world;
    const { ended } = sessions[row.session];
    if (guards.claimOwn && !isOwn(world, pod)) return false;
    if (row.finished !== null || (guards.claimOnce && row.started)) return false;
    if (guards.claimApproved && row.approval !== null && row.approval !== 'approved') return false;
    if (guards.claimWhileOn && ended) return false;
    row.started = true;
    world.changedByFormer ||= !isOwn(world, pod);
    world.startedAfterEnd ||= ended;
    world.startedUnasked ||=
      row.approval === null ? pod.terms === 'approval' : row.approval !== 'approved';
    return true;
  }

  /** standingOf in packages/agent-runtime/src/calls/call-driver.ts */
  function standingOf(world: World, pod: Pod): Pod['at'] {
    const { finished, started } = world.row;
    if (!isOwn(world, pod)) return 'notRun';
    if (finished !== null) return 'done';
    return started ? 'unknown' : 'notRun';
  }

  function finish(world: World, as: End, pod?: Pod): void {
    const { row } = world;
    if (!row.exists || row.finished !== null) return;
    if (pod && guards.finishOwn && !isOwn(world, pod)) return;
    if (as === 'not run' && guards.notRunUnlessStarted && row.started) return;
    row.finished = as;
    world.changedByFormer ||= pod !== undefined && !isOwn(world, pod);
  }

  /** decideToolCall in packages/database/src/calls/approval-decisions.ts */
  function decide(world: World, verdict: Exclude<Final, 'expired'>): void {
    const { row, late } = world;
    if (row.approval === null || (guards.decideOnce && row.approval !== 'waiting')) return;
    row.approval = late && verdict !== 'cancelled' ? 'expired' : verdict;
    world.firstDecision ??= row.approval;
    if (row.approval === 'expired' && place === 'session') row.finished ??= 'not run';
  }

  /** cancelSessionCalls in packages/database/src/calls/cancel-calls.ts */
  function cancelCalls(world: World, session: Name): void {
    const { row, sessions } = world;
    if (!row.exists || row.finished !== null || row.session !== session) return;
    world.endedTooEarly ||= sessions[session].ticket;
    if (row.approval === 'waiting') decide(world, 'cancelled');
    finish(world, row.started ? 'unknown' : 'not run');
  }

  /** writeChanges in packages/database/src/journal/record-changes.ts, and endRealtimeSession. */
  function recordEnd(world: World, name: Name, isHandedOver: boolean): void {
    const session = world.sessions[name];
    const isFirst = !session.ended;
    session.ended = true;
    if (isFirst || guards.keptIfEndedBefore) session.ticket &&= isHandedOver;
    const isKept = session.ticket && (isFirst || guards.keptIfEndedBefore);
    if (!isKept) cancelCalls(world, name);
  }
}
