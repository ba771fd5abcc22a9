import type {
  ConversationFileRecord,
  ConversationSession,
  CountedConversation,
  MessageRecord,
  ModelUsage,
  TokenCounts,
  ToolCallRecord,
} from '@parley/database';
import {
  toolCallStatus,
  type Conversation,
  type ConversationDetails,
  type ConversationFile,
  type Message,
  type MessageToolCall,
  type Usage,
} from '@parley/protocol';

type Reported = Record<string, unknown> | null;

export function conversationView(record: CountedConversation): Conversation {
  return {
    ...record,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function conversationDetails(
  record: CountedConversation,
  { sessions, usage }: { sessions: ConversationSession[]; usage: ModelUsage[] },
): ConversationDetails {
  return {
    ...conversationView(record),
    usage,
    sessions: sessions.map((session) => ({
      ...session,
      startedAt: session.startedAt.toISOString(),
      endedAt: session.endedAt?.toISOString() ?? null,
    })),
  };
}

export function conversationFileView({
  fileId: id,
  givenAt,
  ...file
}: ConversationFileRecord): ConversationFile {
  return { id, ...file, givenAt: givenAt.toISOString() };
}

export function messageView(record: MessageRecord): Message {
  return {
    ...record,
    createdAt: record.createdAt.toISOString(),
    usage: record.usage === null ? null : usageView(record.usage as TokenCounts),
    toolCall: record.toolCall && toolCallView(record.toolCall),
  };
}

function usageView({ seconds: transcriptionSeconds, ...tokens }: TokenCounts): Usage {
  return { ...tokens, transcriptionSeconds };
}

function toolCallView({ executionMs, ...record }: ToolCallRecord): MessageToolCall {
  return {
    ...record,
    status: toolCallStatus[record.status],
    decidedBy: record.decidedBy as Reported,
    decidedAt: record.decidedAt?.toISOString() ?? null,
    executionTimeSeconds: executionMs === null ? null : executionMs / 1000,
  };
}
