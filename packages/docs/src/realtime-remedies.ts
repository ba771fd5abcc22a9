import type { CloseName, RealtimeErrorCode, RefusalCode, ShortfallCode } from '@parley/protocol';
import type { Remedy } from './remedy.js';

export const realtimeRemedies = {
  RealtimeNotEnabled: {
    cause:
      '`REALTIME_ENABLED` is false, the agent has `realtimeEnabled: false`, or the key lacks the scope `realtime`.',
    action: 'Enable the one that is disabled.',
  },
  RealtimeUnsupportedConnection: {
    cause:
      'The agent’s connection is disabled, has `realtime: false` or no base URL, or leads to a private address that `TOOL_EGRESS_ALLOW` does not name.',
    action:
      'Change the connection, give the agent another one, or ask the operator to allow the address.',
  },
  RealtimeUnsupportedModel: {
    cause:
      'The agent’s `model` is not the deployment’s `REALTIME_MODEL`, or its connection does not list it in `models`.',
    action:
      'Set the agent’s `model` to null, which uses the deployment’s model, or add the model to the connection.',
  },
  RealtimeAudioFormatUnsupported: {
    cause: 'By default, a deployment only offers `pcm16`.',
    action:
      'Request a format that it offers, or add the format to `REALTIME_INPUT_AUDIO_FORMATS` and `REALTIME_OUTPUT_AUDIO_FORMATS`: see [telephony](telephony.md).',
  },
  RealtimeSessionInvalid: {
    cause:
      'The query of `webSocketPath` was changed or truncated, or the path leads to another deployment.',
    action: 'Create a new session and open its `webSocketPath` unchanged.',
  },
  RealtimeSessionExpired: {
    cause:
      'The WebSocket was opened later than `REALTIME_SESSION_TTL_SECONDS` after the session was created.',
    action: 'Create the session when the user presses the button, not when the page loads.',
  },
  RealtimeSessionAlreadyUsed: {
    cause: 'A client reconnected with the old path. Each path opens one WebSocket.',
    action: 'Create a new session with the same `conversationId`, and open that.',
  },
} as const satisfies Record<RealtimeErrorCode, Remedy>;

export const closeRemedies = {
  Normal: { cause: 'The conversation is over.', action: 'Nothing.' },
  MessageTooBig: {
    cause:
      'A message was larger than `REALTIME_MAX_MESSAGE_BYTES`, usually too much audio at once.',
    action: 'Send audio in chunks of at most half a second.',
  },
  InternalError: {
    cause: 'A bug.',
    action:
      'Create a new session with the same `conversationId`. Report the time and the session’s id.',
  },
  ServiceRestart: {
    cause: 'The instance is being replaced, for example by an upgrade.',
    action:
      'Create a new session with the same `conversationId`; it continues where the last one ended.',
  },
  SlowConsumer: {
    cause:
      'The client read next to nothing for half a minute while a megabyte was waiting: a slow connection, a suspended tab, or a proxy that buffers.',
    action: 'Read messages as they arrive, and create a new session.',
  },
  RealtimeSessionInvalid: {
    cause: 'The token in the path is missing or wrong.',
    action: 'Create a new session and open its `webSocketPath` unchanged.',
  },
  RealtimeSessionExpired: {
    cause: 'The WebSocket was opened too late.',
    action: 'Create a new session and open it immediately.',
  },
  RealtimeSessionAlreadyUsed: {
    cause: 'The path was already opened.',
    action: 'Create a new session. Never open a path twice.',
  },
  MaxSessionDuration: {
    cause:
      'The session lasted as long as `REALTIME_MAX_SESSION_SECONDS` allows. `session.expiring` announced it.',
    action: 'Create a new session with the same `conversationId`.',
  },
  IdleTimeout: {
    cause:
      'Nobody sent anything for `REALTIME_IDLE_TIMEOUT_SECONDS`: a muted microphone that sends no audio, or a forgotten tab.',
    action:
      'Send audio, including silence, while the microphone is open, or create a new session when the user returns.',
  },
  SessionRevoked: {
    cause:
      'Somebody ended the session over REST, deleted the agent or the conversation, or revoked the key that created it.',
    action: 'Do not reconnect automatically. Ask the user.',
  },
  SessionTakenOver: {
    cause:
      'The client, or somebody with its resume path, opened the path while this connection still seemed to be open.',
    action:
      'Nothing: the session continues on the other connection. Ignore this one from the moment you open a resume path.',
  },
  QuotaReached: {
    cause:
      'The organization has used up its tokens for the day, or has reached its limit of open sessions.',
    action: 'Try again later, or ask the operator to raise the quota.',
  },
  ProviderUnavailable: {
    cause:
      'No connection of the agent accepted the session: a wrong key, no credit, an unknown model, an outage. Or it failed more often than `REALTIME_PROVIDER_RENEWALS` allows in a minute. The `error` event before the close contains the provider’s message.',
    action:
      'Check the connection, and give the agent `fallbackConnectionIds` ([providers](providers.md)). If it was an outage, create a new session.',
  },
  ProviderConnectTimeout: {
    cause:
      'The provider did not respond within `REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS`, often because of a firewall between the gateway and the provider.',
    action: 'Check that the gateway can reach the provider’s address, then create a new session.',
  },
} as const satisfies Record<CloseName, Remedy>;

export const eventRemedies = {
  EventMalformed: {
    cause: 'The client sent text that is not JSON, or JSON without a `type`.',
    action: 'Send one JSON object per message, with one `type`.',
  },
  SessionUpdateNotAllowed: {
    cause: 'An SDK sends `session.update` when it connects.',
    action:
      'Set voice, formats and client tools when the session is created. `REALTIME_CLIENT_OVERRIDES` says what a client may change.',
  },
  ResponseOverrideNotAllowed: {
    cause: '`response.create` carries `instructions`, `tools` or `input`.',
    action:
      'Send `response.create` without them, or use `additionalInstructions` when the session is created.',
  },
  FunctionOutputNotAllowed: {
    cause:
      'The client answered a backend tool’s call, answered a call twice, or answered after its timeout.',
    action: 'Only answer calls of the client tools that you declared, once each.',
  },
  ItemNotAllowed: {
    cause: 'The client added a `system` or `developer` message, or a function call.',
    action:
      'Only add user messages. Instructions belong in the agent or in `additionalInstructions`.',
  },
  ApproverNotAllowed: {
    cause: 'The tool’s `approvers` are `["api"]`.',
    action:
      'Hide the buttons in the client: `approval.waiting` includes `approvers`. Your backend decides.',
  },
  AcknowledgementInvalid: {
    cause:
      'The client counts messages that do not count, such as `session.resumable`, or counts each connection separately.',
    action: 'Count every message of the session once: see [reconnecting](reconnecting.md).',
  },
  ApprovalNotWaiting: {
    cause: 'The call was already decided, has expired, or the `callId` is wrong.',
    action: 'Remove the card. Use the `callId` from `approval.waiting`.',
  },
  MessageNotStored: {
    cause: 'PostgreSQL was unavailable for too long, or the conversation was deleted.',
    action: 'Continue: the session still works. The message is missing from the record.',
  },
  DecisionNotStored: {
    cause: 'Redis or PostgreSQL was unavailable.',
    action: 'Show the card again and let the user decide again.',
  },
} as const satisfies Record<RefusalCode | ShortfallCode, Remedy>;
