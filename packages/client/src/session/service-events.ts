// Generated from the contract by npm run contract; do not edit.

/** Events that the service adds to the provider's: the `data` of each, by type. */
export type ServiceEvents = {
  /** A message of the user was stored. */
  'message.created': {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
    role: 'user';
    content: string;
    createdAt: string;
  };
  /**
   * The provider has transcribed the user’s speech again: this is the new text of the
   * message.
   */
  'message.updated': { id: string; content: string };
  /** A message of the agent was stored, under this id. */
  'response.id': {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
  };
  /** The agent’s answer is completely stored. */
  'response.completed': {
    /** The agent’s id. */
    chatbotId: string;
  };
  /** A backend tool starts, or waits for approval. */
  'response.function_invocation.start': {
    /** Id of the tool’s message in the conversation. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    title: string | null;
    imageUrl: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** Parsed; the raw text if it is not JSON. */
    arguments: unknown;
    approvalRequired: boolean;
    functionName: string;
  };
  /** A backend tool finished, failed, was rejected, timed out or was cancelled. */
  'response.function_invocation.done': {
    /** Id of the tool’s message in the conversation. */
    id: string;
    /** The provider’s call id. */
    callId: string;
    text: string;
    title: string | null;
    imageUrl: string | null;
    button: { label: string; link: string } | null;
    buttonLabel: string | null;
    buttonLink: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** 1 success, 2 failed. */
    status: 1 | 2;
    executionTimeSeconds: number;
  };
  /**
   * A call is waiting for a decision: approval.approve or approval.reject with its callId if
   * `approvers` includes the client, or over REST.
   */
  'approval.waiting': {
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
    messageId: string;
    timeoutSeconds: number;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** The call was approved, and the tool runs. */
  'approval.approved': {
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** Nobody decided in time; the model is told. */
  'approval.expired': {
    /** The provider’s call id. */
    callId: string;
    /** Id of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** A sub-agent is asked. */
  'subagent.start': {
    /** Id of the sub-agent. */
    id: string;
    name: string;
    icon: string | null;
    iconColor: string | null;
    /** The provider’s call id. */
    callId: string;
  };
  /** The sub-agent has answered. */
  'subagent.done': {
    /** The agent’s id. */
    chatbotId: string;
  };
  /**
   * Sent after session.created to clients that use the OpenAI-compatible path: the
   * conversation that the session belongs to.
   */
  'session.conversation': { conversationId: string };
  /** The session will end soon. */
  'session.expiring': {
    reason:
      | 'Normal'
      | 'MessageTooBig'
      | 'InternalError'
      | 'ServiceRestart'
      | 'SlowConsumer'
      | 'RealtimeSessionInvalid'
      | 'RealtimeSessionExpired'
      | 'RealtimeSessionAlreadyUsed'
      | 'MaxSessionDuration'
      | 'IdleTimeout'
      | 'SessionRevoked'
      | 'SessionTakenOver'
      | 'QuotaReached'
      | 'ProviderUnavailable'
      | 'ProviderConnectTimeout';
    secondsLeft: number;
  };
  /**
   * The session continues on another connection to a provider, which was told the
   * conversation so far. A response that was in progress has ended with the status
   * cancelled; the answer is requested once more.
   */
  'session.renewed': {
    reason: 'expiring' | 'expired' | 'closed' | 'silent' | 'stalled';
    /** The connection in use; null for the deployment’s default. */
    connectionId: string | null;
  };
  /**
   * If the connection is lost, the client can continue the session by opening `resumePath`,
   * with `&received=` and the number of messages it has received. Sent after
   * session.updated, and again as the first message of each new connection; not counted.
   */
  'session.resumable': {
    /** Relative path, like webSocketPath, with the token `resume` in place of sessionId. */
    resumePath: string;
    graceSeconds: number;
  };
  /**
   * The session continues on this connection, after everything that the client had missed.
   * Not counted.
   */
  'session.resumed': {
    /** How many of the client’s messages have arrived: it sends the rest again. */
    received: number;
    /**
     * `live`: nothing is missing. `history`: another instance continues the conversation from
     * the record; both counts start again at 0, and nothing is sent again.
     */
    restored: 'live' | 'history';
  };
  /** The answer to a session.ack with `reply: true`: the connection works. Not counted. */
  'session.acknowledged': {
    /** How many of the client’s messages have arrived. */
    received: number;
  };
  /**
   * The instance is shutting down: open `resumePath` now, to continue the session on another
   * one. Not counted.
   */
  'session.moving': {
    /** Relative path, like webSocketPath, with the token `resume` in place of sessionId. */
    resumePath: string;
  };
  /** The session can no longer be resumed: if its connection is lost, it ends. */
  'session.unresumable': {
    /**
     * `SessionBufferFull`: The client did not acknowledge what it received with session.ack,
     * and more than REALTIME_RESUME_BUFFER_BYTES were kept for it. `InstanceBufferFull`: All
     * sessions of the instance together kept more than REALTIME_RESUME_POD_BYTES, and this was
     * the oldest one that kept anything of the organization that kept most.
     */
    reason: 'SessionBufferFull' | 'InstanceBufferFull';
  };
  /**
   * Some fields of a client’s session.update or response.create were ignored, because only
   * the agent or the deployment can set them, or the provider would refuse them. The other
   * fields were accepted.
   */
  'session.notice': {
    code: 'FieldsNotTaken';
    /**
     * The ignored fields, as paths in `session` or `response`, such as `instructions`,
     * `audio.input.format` or `tools[2]`.
     */
    fields: readonly string[];
  };
};

/** The known events of the provider, which may send others. */
export type ProviderEventType =
  | 'conversation.created'
  | 'conversation.item.added'
  | 'conversation.item.created'
  | 'conversation.item.deleted'
  | 'conversation.item.done'
  | 'conversation.item.input_audio_transcription.completed'
  | 'conversation.item.input_audio_transcription.delta'
  | 'conversation.item.input_audio_transcription.failed'
  | 'conversation.item.input_audio_transcription.segment'
  | 'conversation.item.retrieved'
  | 'conversation.item.truncated'
  | 'error'
  | 'input_audio.transcript.done'
  | 'input_audio_buffer.cleared'
  | 'input_audio_buffer.committed'
  | 'input_audio_buffer.dtmf_event_received'
  | 'input_audio_buffer.speech_started'
  | 'input_audio_buffer.speech_stopped'
  | 'input_audio_buffer.timeout_triggered'
  | 'mcp_list_tools.completed'
  | 'mcp_list_tools.failed'
  | 'mcp_list_tools.in_progress'
  | 'output_audio_buffer.cleared'
  | 'output_audio_buffer.started'
  | 'output_audio_buffer.stopped'
  | 'rate_limits.updated'
  | 'response.audio.delta'
  | 'response.audio.done'
  | 'response.audio_transcript.delta'
  | 'response.audio_transcript.done'
  | 'response.content.done'
  | 'response.content_part.added'
  | 'response.content_part.done'
  | 'response.created'
  | 'response.done'
  | 'response.function_call_arguments.delta'
  | 'response.function_call_arguments.done'
  | 'response.mcp_call.completed'
  | 'response.mcp_call.failed'
  | 'response.mcp_call.in_progress'
  | 'response.mcp_call_arguments.delta'
  | 'response.mcp_call_arguments.done'
  | 'response.output_audio.delta'
  | 'response.output_audio.done'
  | 'response.output_audio_transcript.delta'
  | 'response.output_audio_transcript.done'
  | 'response.output_item.added'
  | 'response.output_item.done'
  | 'response.output_text.delta'
  | 'response.output_text.done'
  | 'session.created'
  | 'session.updated';
