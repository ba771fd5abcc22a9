// Failures while connecting or setting up, chosen by the model's name. (Later failures are
// directives in the conversation.) Any other name is a well-behaved model.

export type Misbehaviour =
  | { on: 'upgrade'; do: 'refuse'; status: number; type: string; code: string; message: string }
  | { on: 'upgrade'; do: 'redirect'; location: string }
  | { on: 'upgrade'; do: 'hang' }
  | { on: 'open'; do: 'close'; code: number; reason: string }
  | { on: 'open'; do: 'error'; type: string; code: string; message: string; closeCode: number }
  | { on: 'open'; do: 'drop' }
  | { on: 'open'; do: 'hang' }
  | { on: 'session'; sessionUpdate: 'refuse' | 'ignore' }
  | { on: 'session'; transcription: 'deployment-missing' }
  | { on: 'session'; unknownEvents: true }
  | { on: 'session'; azure: true }
  | { on: 'session'; sessionSeconds: number }
  | { on: 'session'; announcedSeconds: number };

type Row = Misbehaviour & { doc: string };

const refusal = (status: number, code: string, message: string) =>
  ({ on: 'upgrade', do: 'refuse', status, type: 'invalid_request_error', code, message }) as const;

export const misbehaviours = {
  'sim-refuse-400': {
    ...refusal(400, 'OpperationNotSupported', 'The model does not support this operation.'),
    doc: 'Refuses the upgrade with 400, as Azure does with a model that is not realtime.',
  },
  'sim-refuse-401': {
    ...refusal(401, 'invalid_api_key', 'Incorrect API key provided.'),
    doc: 'Refuses the upgrade with 401.',
  },
  'sim-refuse-403': {
    ...refusal(403, 'model_not_found', 'Your project does not have access to this model.'),
    doc: 'Refuses the upgrade with 403: no access to the model.',
  },
  'sim-refuse-429': {
    ...refusal(429, 'rate_limit_exceeded', 'Too many requests.'),
    doc: 'Refuses the upgrade with 429.',
  },
  'sim-refuse-500': {
    ...refusal(500, 'server_error', 'The server had an error.'),
    doc: 'Refuses the upgrade with 500.',
  },
  'sim-refuse-503': {
    ...refusal(503, 'overloaded', 'The server is overloaded.'),
    doc: 'Refuses the upgrade with 503.',
  },
  'sim-redirect': {
    on: 'upgrade',
    do: 'redirect',
    location: 'http://127.0.0.1:9/elsewhere',
    doc: 'Answers the upgrade with a redirect, which must not be followed with credentials.',
  },
  'sim-hang-connect': {
    on: 'upgrade',
    do: 'hang',
    doc: 'Accepts the TCP connection and never answers the upgrade.',
  },
  'sim-hang-created': {
    on: 'open',
    do: 'hang',
    doc: 'Completes the handshake and never sends session.created.',
  },
  'sim-close-on-open': {
    on: 'open',
    do: 'close',
    code: 3000,
    reason: 'invalid_request_error.invalid_api_key',
    doc: 'Completes the handshake, then closes with 3000 before session.created: an invalid key.',
  },
  'sim-error-on-open': {
    on: 'open',
    do: 'error',
    type: 'server_error',
    code: 'server_error',
    message: 'The server had an error while starting the session.',
    closeCode: 1011,
    doc: 'Completes the handshake, then sends an error instead of session.created and closes with 1011.',
  },
  'sim-drop-on-open': {
    on: 'open',
    do: 'drop',
    doc: 'Completes the handshake, then cuts the connection without a close frame.',
  },
  'sim-refuse-update': {
    on: 'session',
    sessionUpdate: 'refuse',
    doc: 'Answers session.update with an error instead of session.updated.',
  },
  'sim-ignore-update': {
    on: 'session',
    sessionUpdate: 'ignore',
    doc: 'Never answers session.update.',
  },
  'sim-short-session': {
    on: 'session',
    sessionSeconds: 2,
    doc: 'Expires after two seconds: the error session_expired, then close 1001.',
  },
  'sim-session-20': {
    on: 'session',
    sessionSeconds: 20,
    doc: 'Expires after twenty seconds.',
  },
  'sim-stale-expiry': {
    on: 'session',
    announcedSeconds: -3600,
    doc: 'Announces an expires_at that is already past, and lives on.',
  },
  'sim-unknown-events': {
    on: 'session',
    unknownEvents: true,
    doc: 'Sends an event of an unknown type right after session.created.',
  },
  'sim-no-transcription-deployment': {
    on: 'session',
    transcription: 'deployment-missing',
    doc: 'Fails every transcription with DeploymentNotFound, as Azure does without that deployment.',
  },
  'sim-azure': {
    on: 'session',
    azure: true,
    doc: 'Speaks Azure’s dialect on any path: content part events carry a second copy of the part.',
  },
} as const satisfies Record<string, Row>;

export type MisbehaviourName = keyof typeof misbehaviours;

export const misbehaviourOf = (model: string): Misbehaviour | undefined =>
  Object.hasOwn(misbehaviours, model) ? misbehaviours[model as MisbehaviourName] : undefined;

/** The API key that is always invalid. */
export const invalidApiKey = 'sim-invalid-key';
