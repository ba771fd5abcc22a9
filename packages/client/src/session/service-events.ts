// Generated from the contract by npm run contract; do not edit.

/** What the service adds to the events of the provider: the `data` of each, by its type. */
export type ServiceEvents = {
  /** What the user said is stored. */
  'message.created': {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
    role: 'user';
    content: string;
    createdAt: string;
  };
  /** The provider has transcribed what the user said anew: these are the words of the message now. */
  'message.updated': { id: string; content: string };
  /** What the agent said is stored, under this id. */
  'response.id': {
    /** The agent’s id. */
    chatbotId: string;
    id: string;
  };
  /** Storing the agent’s answer is complete. */
  'response.completed': {
    /** The agent’s id. */
    chatbotId: string;
  };
  /** A backend tool starts, or waits for approval. */
  'response.function_invocation.start': {
    /** Of the tool’s message in the conversation. */
    id: string;
    /** The provider’s id of the call. */
    callId: string;
    title: string | null;
    imageUrl: string | null;
    /** The agent’s id. */
    chatbotId: string;
    /** Parsed; the text itself where it is no JSON. */
    arguments: unknown;
    approvalRequired: boolean;
    functionName: string;
  };
  /** A backend tool finished, failed, was rejected, timed out or was cancelled. */
  'response.function_invocation.done': {
    /** Of the tool’s message in the conversation. */
    id: string;
    /** The provider’s id of the call. */
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
  /** A call waits for a decision: approval.approve or approval.reject with its callId if `approvers` include the client, or one over REST. */
  'approval.waiting': {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    timeoutSeconds: number;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** The call was approved, and the tool runs. */
  'approval.approved': {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** Nobody decided in time; the model is told so. */
  'approval.expired': {
    /** The provider’s id of the call. */
    callId: string;
    /** Of the tool’s message in the conversation. */
    messageId: string;
    /** Who may decide the call. */
    approvers: readonly ('client' | 'api')[];
  };
  /** Another agent is asked. */
  'subagent.start': {
    /** Of the agent that is asked. */
    id: string;
    name: string;
    icon: string | null;
    iconColor: string | null;
    /** The provider’s id of the call. */
    callId: string;
  };
  /** The other agent has answered. */
  'subagent.done': {
    /** The agent’s id. */
    chatbotId: string;
  };
  /** To a client that came by OpenAI’s path, after session.created: the conversation that the session belongs to. */
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
      | 'QuotaReached'
      | 'ProviderUnavailable'
      | 'ProviderConnectTimeout';
    secondsLeft: number;
  };
  /** A part of what the client asked for in session.update or response.create was not taken, because it is the agent’s or the deployment’s to set, or the provider would refuse it. The rest was. */
  'session.notice': {
    code: 'FieldsNotTaken';
    /** Their places in `session` or `response`, such as `instructions`, `audio.input.format` or `tools[2]`. */
    fields: readonly string[];
  };
};

/** The events that the provider is known to send. It may send others. */
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
