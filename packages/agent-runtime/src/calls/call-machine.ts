import type { FinalApproval } from '@parley/database';
import type { Approver } from '@parley/protocol';
import { bounded, shownText } from '../tools/result-text.js';
import type { ToolResult } from '../tools/tool.js';
import {
  adoptRun,
  type Asked,
  type AtRest,
  type CallOutcome,
  type MadeCall,
  type OpenCall,
  type Over,
  type Run,
  type Suspension,
} from './call.js';
import { endings, type CallEnding, type Ending } from './endings.js';
import type { Ran } from './run-tool.js';

/**
 * The life of a call as a pure state machine: no store, no tool, no clock. Each state that is not
 * at rest waits for the one answer to its last effect.
 *
 *     new ─▶ recording ─▶ asking ─▶ waiting ◀─▶ reading ─▶ claiming ─▶ running ─▶ finished
 *                 └───────────────────────────────────────────▲          ▲  └─▶ suspended
 *                                       adopted ─▶ reading            resuming ◀─────┘
 *
 * Nothing is announced before it is recorded, nothing runs before it is claimed, and every failure
 * on the way ends in one outcome that says what happened. A call whose approval or sub-agent must
 * be withdrawn is `withdrawing` before it is finished.
 */
export type Call = (OpenCall | (MadeCall & OnItsWay)) & {
  /** The call no longer starts. */
  readonly over?: Over;
};

export type OnItsWay =
  | { readonly state: 'recording'; readonly terms: Terms }
  | { readonly state: 'asking'; readonly approvers: readonly Approver[] }
  /** What is adopted is told to wait only when it does: a client may decide at once. */
  | ({ readonly state: 'reading'; readonly isAdopted?: true } & Asked)
  | { readonly state: 'claiming' }
  | { readonly state: 'running'; readonly run: Run | null; readonly executionMs: number }
  | ({ readonly state: 'resuming'; readonly isAdopted: boolean } & Suspension)
  | ({ readonly state: 'withdrawing'; readonly ending: Ending } & Progress);

/** How far the tool has got. */
type Progress = { readonly begun: boolean; readonly executionMs: number };

type Kept = Suspension & { readonly isAdopted?: boolean };

/**
 * What a call needs before it runs. It is refused if its tool does not exist or its arguments are
 * invalid.
 */
export type Terms =
  | { readonly kind: 'free' }
  | { readonly kind: 'approval'; readonly approvers: readonly Approver[] }
  | { readonly kind: 'refused'; readonly says: string };

/** The recorded state of a call that cannot be claimed. */
export type Standing =
  | { readonly kind: 'finished'; readonly result: ToolResult }
  | { readonly kind: 'started' }
  | { readonly kind: 'stopped'; readonly approval: Exclude<FinalApproval, 'approved'> };

export type Input =
  | { readonly kind: 'go'; readonly terms: Terms }
  | { readonly kind: 'abort'; readonly over: Over }
  /** A bug in the code that executes the effects. */
  | { readonly kind: 'broke' }
  | { readonly kind: 'recorded' | 'not_recorded' }
  | { readonly kind: 'opened'; readonly deadline: string }
  | { readonly kind: 'not_opened' }
  | { readonly kind: 'unaskable'; readonly says: string }
  /** `fits` says whether the arguments are the ones that were decided on. */
  | { readonly kind: 'decided'; readonly approval: FinalApproval; readonly fits: boolean }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'claimed' | 'not_claimed' }
  | { readonly kind: 'taken'; readonly standing: Standing }
  | { readonly kind: 'ran'; readonly ran: Ran; readonly milliseconds: number }
  /** Nobody else can go on with it any more; `lost` if somebody else already does. */
  | { readonly kind: 'resumed' | 'not_resumed' | 'lost' }
  | { readonly kind: 'withdrawn' };

export type Effect = Request | Notice;

/** Answered with an input. Always the last of a step's effects. */
type Request =
  | { readonly kind: 'record' }
  | { readonly kind: 'open_approval'; readonly approvers: readonly Approver[] }
  | { readonly kind: 'read_decision' }
  | { readonly kind: 'cancel_approval' }
  | { readonly kind: 'claim' }
  | { readonly kind: 'run'; readonly run: Run | null; readonly isAdopted: boolean }
  | { readonly kind: 'resume_run' }
  | { readonly kind: 'end_run'; readonly run: Run };

type Notice =
  | { readonly kind: 'enter_room' | 'leave_room' }
  /** If it cannot be stored where a sub-agent stopped, nobody else can go on with it. */
  | ({ readonly kind: 'keep_run' } & Suspension)
  | { readonly kind: 'tell_start' }
  | {
      readonly kind: 'tell_approval';
      readonly event: 'waiting' | 'approved' | 'expired';
      readonly approvers: readonly Approver[];
      /** Of one that has waited for some time. */
      readonly deadline?: string;
    }
  | ({ readonly kind: 'end' } & CallEnd);

/** The end of a call: recorded, counted and announced. */
export type CallEnd = Progress & {
  readonly ending: CallEnding;
  readonly outcome: CallOutcome;
  readonly result: ToolResult;
  /** What the record lacks: only the outcome, the call as well, or nothing. */
  readonly missing: 'outcome' | 'call' | 'nothing';
  readonly told: boolean;
};

export type Step = { readonly call: Call; readonly effects: readonly Effect[] };
type State = Call['state'];
type In<S extends State> = Extract<Call, { state: S }>;
type Of<K extends Input['kind']> = Extract<Input, { kind: K }>;
/** A method, so that a row may declare its own state and input types. */
type Row<S extends State, K extends Input['kind']> = {
  take(call: In<S>, input: Of<K>): Step;
}['take'];
type Table = { readonly [S in State]: { readonly [K in Input['kind']]?: Row<S, K> } };

const notBegun: Progress = { begun: false, executionMs: 0 };

export const table = {
  new: {
    go: (call, { terms }) => to(call, { state: 'recording', terms }, { kind: 'record' }),
  },
  recording: {
    recorded: (call) => after(tell(call, { kind: 'tell_start' }), begin(call, call.terms)),
    not_recorded: (call) =>
      after(tell(call, { kind: 'tell_start' }), end(call, 'not_recorded', { missing: 'call' })),
  },
  asking: {
    opened(call, { deadline }) {
      const { approvers } = call;
      if (call.over) return withdraw(call, 'cancelled');
      const waits = { kind: 'tell_approval', event: 'waiting', approvers } as const;
      return to(call, { state: 'waiting', deadline, approvers }, waits);
    },
    unaskable: (call, { says }) => end(call, 'refused', { says }),
    not_opened: (call) => withdraw(call, 'not_asked'),
  },
  waiting: {
    go: (call, { terms }) => read(call, terms),
  },
  adopted: {
    go(call, { terms }) {
      const told = tell(call, { kind: 'tell_start' });
      return after([{ kind: 'enter_room' }, ...told], read(call, terms));
    },
  },
  reading: {
    undecided(call) {
      const { deadline, approvers } = call;
      if (call.over) return withdraw(call, 'cancelled');
      return after(tellAdopted(call), to(call, { state: 'waiting', deadline, approvers }));
    },
    decided: (call, input) =>
      after([{ kind: 'leave_room' }, ...tellAdopted(call)], onDecision(call, input)),
  },
  claiming: {
    claimed: (call) =>
      call.over ? end(call, 'interrupted', { begun: true }) : run(call, null, notBegun),
    taken: (call, { standing }) => endAsKnown(call, standing),
    not_claimed: (call) => end(call, 'not_recorded'),
  },
  running: {
    ran: (call, { ran, milliseconds }) =>
      onResult(call, ran, { begun: true, executionMs: call.executionMs + milliseconds }),
  },
  suspended: {
    go(call, { terms }) {
      const { run: kept, executionMs, isAdopted = false } = call;
      if (terms.kind === 'refused')
        return after(tellAdoptedRun(call), withdrawRun(call, 'refused'));
      const resuming = { state: 'resuming', run: kept, executionMs, isAdopted } as const;
      return to(call, resuming, { kind: 'resume_run' });
    },
  },
  resuming: {
    // A sub-agent that has started ends its own calls, even if its session is over.
    resumed: (call) => (call.over === 'moved' ? keep(call, call) : runOn(call)),
    not_resumed(call) {
      const { run: kept, executionMs } = call;
      if (call.over) return runOn(call);
      const isAdopted = call.isAdopted && ({ isAdopted: true } as const);
      return to(call, { state: 'suspended', run: kept, executionMs, ...isAdopted });
    },
    lost: (call) => after(tellAdoptedRun(call), withdrawRun(call, 'interrupted')),
  },
  withdrawing: {
    withdrawn: (call) => end(call, call.ending, call),
  },
  finished: {},
} as const satisfies Table;

/**
 * What an input changes about a call, and which effects follow, in order. An input that a state
 * does not wait for changes nothing.
 */
export function step(call: Call, input: Input): Step {
  if (call.state === 'finished') return { call, effects: [] };
  if (input.kind === 'abort') return { call: { ...call, over: input.over }, effects: [] };
  if (input.kind === 'broke') return breakOff(call);
  const left = call.over === 'moved' ? leftAt(call, input) : undefined;
  if (left) return to(call, left);
  const rows: Table = table;
  const row: Row<State, Input['kind']> | undefined = rows[call.state][input.kind];
  return row ? row(call, input) : { call, effects: [] };
}

export function isAtRest(call: Call): call is OpenCall {
  return ['new', 'waiting', 'adopted', 'suspended', 'finished'].includes(call.state);
}

/** Where a call stops that another process goes on with: nothing is withdrawn. */
function leftAt(call: Call, input: Input): AtRest | undefined {
  switch (call.state) {
    case 'recording':
      return input.kind === 'recorded' ? { state: 'new' } : undefined;
    case 'asking': {
      const { approvers } = call;
      const { deadline } = input as Of<'opened'>;
      return input.kind === 'opened' ? { state: 'waiting', deadline, approvers } : undefined;
    }
    case 'waiting':
    case 'adopted':
    case 'reading': {
      const { deadline, approvers } = call;
      return { state: 'waiting', deadline, approvers };
    }
    case 'suspended':
    case 'resuming': {
      const { run: kept, executionMs } = call;
      const isLeft = ['go', 'not_resumed'].includes(input.kind);
      return isLeft ? { state: 'suspended', run: kept, executionMs } : undefined;
    }
    case 'new':
    case 'claiming':
    case 'running':
    case 'withdrawing':
    case 'finished':
      return undefined;
  }
}

function begin(call: Call, terms: Terms): Step {
  if (terms.kind === 'refused') return end(call, 'refused', { says: terms.says });
  if (call.over) return end(call, 'cancelled');
  if (terms.kind === 'free') return to(call, { state: 'claiming' }, { kind: 'claim' });
  const { approvers } = terms;
  return to(call, { state: 'asking', approvers }, { kind: 'open_approval', approvers });
}

function read(call: In<'waiting' | 'adopted'>, terms: Terms): Step {
  // Its tool was removed meanwhile, or takes other arguments now.
  if (terms.kind === 'refused') return withdraw(call, 'refused');
  if (call.over) return withdraw(call, 'cancelled');
  const { deadline, approvers } = call;
  const isAdopted = call.state === 'adopted' && ({ isAdopted: true } as const);
  const reading = { state: 'reading', deadline, approvers, ...isAdopted } as const;
  return to(call, reading, { kind: 'read_decision' });
}

function tellAdopted(call: In<'reading'>): Effect[] {
  const { approvers, deadline } = call;
  const waits = { kind: 'tell_approval', event: 'waiting', approvers, deadline } as const;
  return call.isAdopted ? tell(call, waits) : [];
}

function onDecision(call: In<'reading'>, { approval, fits }: Of<'decided'>): Step {
  const { approvers } = call;
  const told = (event: 'approved' | 'expired') =>
    tell(call, { kind: 'tell_approval', event, approvers });
  if (approval === 'expired') return after(told('expired'), end(call, 'expired'));
  if (approval !== 'approved') return end(call, approval);
  if (!fits) return end(call, 'other_arguments');
  if (call.over) return end(call, 'cancelled');
  return after(told('approved'), to(call, { state: 'claiming' }, { kind: 'claim' }));
}

function endAsKnown(call: Call, standing: Standing): Step {
  switch (standing.kind) {
    case 'finished': {
      const { result } = standing;
      return finish(call, { ...notBegun, ending: result.status, result, missing: 'nothing' });
    }
    case 'started':
      return end(call, 'unknown', { begun: true });
    case 'stopped':
      return end(call, standing.approval);
  }
}

/** What is adopted is announced once it is certain who goes on with it: resuming it may fail. */
function tellAdoptedRun(call: In<'suspended' | 'resuming'>): Effect[] {
  return call.isAdopted ? tell(call, { kind: 'tell_start' }) : [];
}

function runOn(call: In<'resuming'>): Step {
  return after(tellAdoptedRun(call), run(call, runOf(call), call));
}

function runOf({ run: kept, isAdopted = false }: Kept): Run {
  return isAdopted ? adoptRun(kept) : kept;
}

function run(
  call: Call,
  progress: Run | null,
  { executionMs, isAdopted = false }: Pick<Progress, 'executionMs'> & { isAdopted?: boolean },
): Step {
  const running = { state: 'running', run: progress, executionMs } as const;
  return to(call, running, { kind: 'run', run: progress, isAdopted });
}

function keep(call: Call, { run: kept, executionMs }: Suspension): Step {
  const suspension = { run: kept, executionMs };
  return to(call, { state: 'suspended', ...suspension }, { kind: 'keep_run', ...suspension });
}

function onResult(call: In<'running'>, ran: Ran, progress: Progress): Step {
  switch (ran.kind) {
    case 'suspended': {
      const suspended = { run: ran.run, executionMs: progress.executionMs };
      if (call.over && call.over !== 'moved')
        return withdrawRun({ ...call, ...suspended }, 'interrupted');
      return keep(call, suspended);
    }
    case 'result': {
      const { result } = ran;
      return finish(call, { ...progress, ending: result.status, result, missing: 'outcome' });
    }
    case 'failed':
      return end(call, 'failed', { ...progress, says: ran.says });
    case 'broken':
      return end(call, 'failed', progress);
    case 'timed_out':
    case 'interrupted':
      return end(call, ran.kind, progress);
  }
}

/** Withdraws the approval, so that nobody can approve the call any more. */
function withdraw(call: Call, ending: Ending): Step {
  return to(call, { state: 'withdrawing', ending, ...notBegun }, { kind: 'cancel_approval' });
}

/** The same for the calls of its sub-agent. */
function withdrawRun(call: Call & Kept, ending: Ending): Step {
  const { executionMs } = call;
  const withdrawing = { state: 'withdrawing', ending, begun: true, executionMs } as const;
  return to(call, withdrawing, { kind: 'end_run', run: runOf(call) });
}

/**
 * Ends a call without a result of its tool; `says` tells the model more than the ending's own text.
 */
function end(
  call: Call,
  ending: Ending,
  more: Partial<Pick<CallEnd, 'begun' | 'executionMs' | 'missing'>> & {
    readonly says?: string;
  } = {},
): Step {
  const { says, begun = false, executionMs = 0, missing = 'outcome' } = more;
  const result: ToolResult = { status: 'failed', output: says ?? endings[ending] };
  return finish(call, { ending, result, begun, executionMs, missing });
}

function finish(call: Call, ended: Omit<CallEnd, 'outcome' | 'told'>): Step {
  const { status, output, text = output } = ended.result;
  const outcome = { status, output: bounded(output), text: shownText(text) };
  const told = isTold(call);
  return {
    call: { ...made(call), state: 'finished', outcome },
    effects: [{ kind: 'end', ...ended, outcome, told }],
  };
}

function breakOff(call: Exclude<Call, In<'finished'>>): Step {
  switch (call.state) {
    case 'new':
    case 'recording':
    case 'claiming':
      return end(call, 'failed');
    case 'asking':
    case 'waiting':
    case 'adopted':
    case 'reading':
      return withdraw(call, 'failed');
    case 'suspended':
    case 'resuming':
      return withdrawRun(call, 'failed');
    case 'running':
      return end(call, 'failed', { begun: true, executionMs: call.executionMs });
    case 'withdrawing':
      return end(call, 'failed', call);
  }
}

function tell(call: Call, effect: Effect): Effect[] {
  return isTold(call) ? [effect] : [];
}

function isTold({ over }: Call): boolean {
  return over === undefined || over === 'told';
}

function after(effects: readonly Effect[], { call, effects: next }: Step): Step {
  return { call, effects: [...effects, ...next] };
}

function to(call: Call, state: OnItsWay | AtRest, ...effects: Effect[]): Step {
  const { over } = call;
  return { call: { ...made(call), ...state, ...(over && { over }) }, effects };
}

function made(call: Call): MadeCall {
  const { id, messageId, callId, itemId, name, arguments: input, position } = call;
  const item = itemId === undefined ? {} : { itemId };
  return { id, messageId, callId, ...item, name, arguments: input, position };
}
