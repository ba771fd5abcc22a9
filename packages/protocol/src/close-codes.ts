/**
 * Every way in which Parley closes a realtime WebSocket. The close reason on the wire is the
 * entry's name. `retry` says whether a client can create a new session immediately.
 */
export const closeCodes = {
  Normal: { code: 1000, retry: false, doc: 'The client or the agent ended the session.' },
  MessageTooBig: { code: 1009, retry: false, doc: 'A message exceeded the maximum size.' },
  InternalError: { code: 1011, retry: true, doc: 'The service failed unexpectedly.' },
  ServiceRestart: {
    code: 1012,
    retry: true,
    doc: 'The instance is shutting down; a new session will be served by another one.',
  },
  SlowConsumer: { code: 1013, retry: true, doc: 'The client read too slowly for too long.' },
  RealtimeSessionInvalid: {
    code: 4400,
    retry: true,
    doc: 'The session token is missing, unknown or belongs to another agent or conversation.',
  },
  RealtimeSessionExpired: {
    code: 4408,
    retry: true,
    doc: 'The session token expired before the WebSocket was opened.',
  },
  RealtimeSessionAlreadyUsed: {
    code: 4409,
    retry: true,
    doc: 'The session token was already used.',
  },
  MaxSessionDuration: {
    code: 4410,
    retry: true,
    doc: 'The session reached its maximum duration, ours or the provider’s.',
  },
  IdleTimeout: {
    code: 4411,
    retry: true,
    doc: 'No data was sent in either direction for too long.',
  },
  SessionRevoked: { code: 4412, retry: false, doc: 'The session was ended through the API.' },
  SessionTakenOver: {
    code: 4413,
    retry: false,
    doc: 'The session continues on another connection, which was opened with its resume path.',
  },
  QuotaReached: {
    code: 4429,
    retry: false,
    doc: 'The organization has reached a quota: its tokens for the day, or its open realtime sessions.',
  },
  ProviderUnavailable: {
    code: 4502,
    retry: true,
    doc: 'The model provider refused the session or closed the connection.',
  },
  ProviderConnectTimeout: {
    code: 4504,
    retry: true,
    doc: 'The model provider did not become ready in time.',
  },
} as const satisfies Record<string, { code: number; retry: boolean; doc: string }>;

export type CloseName = keyof typeof closeCodes;

/** The end of a session that its instance hands over: after no other may another continue it. */
export const handedOverEnd = 'ServiceRestart' satisfies CloseName;

/** The end reasons of failed sessions, as recorded; `lost` means that the instance died. */
export const failedEnds: readonly string[] = [
  ...(['InternalError', 'ProviderUnavailable', 'ProviderConnectTimeout'] satisfies CloseName[]),
  'lost',
];
