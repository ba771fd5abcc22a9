import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox';
import {
  approvers as everybody,
  Nullable,
  OneOf,
  toolCallStatusOf,
  validatorOf,
} from '@parley/protocol';
import type { OpenCall, Run, Suspension } from '../calls/call.js';

/**
 * A run as PostgreSQL stores it, for whichever process resumes it, possibly one of a newer version.
 * The version is one of the fields, so that a process that predates versions reads the run as
 * before, and the last one, where a claim finds it. When you change the shape, increment the version
 * and add a row to `lifts`.
 */
export const runVersion = 2;

const closed = { additionalProperties: false };
const Declaration = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  closed,
);
const ToolCall = Type.Object(
  { callId: Type.String(), name: Type.String(), arguments: Type.String() },
  closed,
);
const Message = Type.Union([
  Type.Object({ role: OneOf(['system', 'user']), content: Type.String() }, closed),
  Type.Object(
    { role: Type.Literal('assistant'), content: Type.String(), toolCalls: Type.Array(ToolCall) },
    closed,
  ),
  Type.Object(
    { role: Type.Literal('tool'), callId: Type.String(), content: Type.String() },
    closed,
  ),
]);
const Usage = Type.Object(
  {
    id: Type.String(),
    model: Type.String(),
    inputTokens: Type.Number(),
    cachedTokens: Type.Number(),
    outputTokens: Type.Number(),
  },
  closed,
);

const runFields = (Call: TSchema) => ({
  state: OneOf(['open', 'waiting', 'answered', 'failed']),
  messages: Type.Array(Message),
  openCalls: Type.Array(Call),
  rounds: Type.Number(),
  position: Type.Number(),
  answer: Type.String(),
  usage: Type.Array(Usage),
  spent: Type.Optional(
    Type.Object(
      { modelCalls: Type.Number(), toolCalls: Type.Number(), milliseconds: Type.Number() },
      closed,
    ),
  ),
  given: Type.Optional(
    Type.Object({ instructions: Nullable(Type.String()), tools: Type.Array(Declaration) }, closed),
  ),
  handed: Type.Optional(Type.Array(ToolCall)),
});

const made = {
  callId: Type.String(),
  name: Type.String(),
  arguments: Type.String(),
  position: Type.Number(),
  id: Type.String(),
  messageId: Type.String(),
};
const Outcome = Type.Object(
  { status: OneOf(['succeeded', 'failed']), output: Type.String(), text: Type.String() },
  closed,
);
const callIn = (state: OpenCall['state'], fields: TProperties) =>
  Type.Object({ ...made, state: Type.Literal(state), ...fields }, closed);
const Call = Type.Recursive((This) =>
  Type.Union([
    callIn('new', {}),
    callIn('waiting', { deadline: Type.String(), approvers: Type.Array(OneOf(everybody)) }),
    callIn('suspended', {
      run: Type.Object(runFields(This), closed),
      executionMs: Type.Number(),
    }),
    callIn('finished', { outcome: Outcome }),
  ]),
);
const StoredRun = Type.Object({ ...runFields(Call), version: Type.Literal(runVersion) }, closed);

const validate = validatorOf(StoredRun);

type Stored = Readonly<Record<string, unknown>>;

/** Converts a run of each version to the next. */
const lifts: readonly ((run: Stored) => Stored)[] = [
  // Before versions: calls made before tools could name approvers have none.
  (run) => withCalls(run, (call) => ({ approvers: everybody, ...call })),
  // Before each state had its own fields.
  (run) => withCalls(run, (call) => ({ ...pick(call, Object.keys(made)), ...stateOf(call) })),
];

function stateOf(call: Stored): Stored {
  if (call['state'] === 'finished') {
    const outcome = call['outcome'] as Stored & { readonly status: number };
    const status = toolCallStatusOf(outcome.status);
    return { state: 'finished', outcome: { ...outcome, status } };
  }
  if (call['state'] === 'new') return { state: 'new' };
  return call['run'] === null
    ? { state: 'waiting', ...pick(call, ['deadline', 'approvers']) }
    : { state: 'suspended', ...pick(call, ['run', 'executionMs']) };
}

function pick(from: Stored, names: readonly string[]): Stored {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
}

/** A newer version of the service stored the run, and can resume it. */
export class RunTooNew extends Error {
  override readonly name = 'RunTooNew';
}

/** No version of the service can resume the run. */
export class RunUnreadable extends Error {
  override readonly name = 'RunUnreadable';
}

export function storedRun(run: Run): Static<typeof StoredRun> {
  return { ...run, version: runVersion } as Static<typeof StoredRun>;
}

export function readRun(stored: unknown): Run {
  const { version = 0 } = stored as { version?: number };
  if (version > runVersion)
    throw new RunTooNew(`The run has version ${version}; this process reads ${runVersion}.`);
  const current: unknown = { ...lifted(stored as Stored, version), version: runVersion };
  const checked = validate(current);
  if (!checked.ok) {
    const [wrong] = checked.errors;
    throw new RunUnreadable(`The run cannot be read: ${wrong?.path}: ${wrong?.message}`);
  }
  const { version: _, ...run } = current as Run & { version: number };
  return run;
}

function lifted(stored: Stored, version: number): Stored {
  try {
    return lifts.slice(version).reduce((run, lift) => lift(run), stored);
  } catch (cause) {
    throw new RunUnreadable(`The run of version ${version} cannot be converted.`, { cause });
  }
}

/** How far a call of a session has got whose sub-agent waits, as PostgreSQL stores it. */
export function storedSuspension({ run, executionMs }: Suspension): object {
  return { run: storedRun(run), executionMs };
}

export function readSuspension(stored: unknown): Suspension {
  const { run, executionMs } = stored as { run: unknown; executionMs: number };
  return { run: readRun(run), executionMs };
}

/** Changes each call of the run, including those of sub-agents. */
function withCalls(run: Stored, change: (call: Stored) => Stored): Stored {
  const openCalls = run['openCalls'] as readonly (Stored & { readonly run: Stored | null })[];
  return {
    ...run,
    openCalls: openCalls.map((call) =>
      change({ ...call, run: call.run && withCalls(call.run, change) }),
    ),
  };
}
