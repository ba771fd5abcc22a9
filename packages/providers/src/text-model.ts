/** A message of a conversation with a text model. */
export type TextMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls: readonly TextToolCall[];
    }
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export type TextToolCall = {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
};

export type TextUsage = {
  /** The provider's id of the completion; empty if it has none. */
  readonly id: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
};

export type TextTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

export type TextRequest = {
  readonly model: string;
  readonly messages: readonly TextMessage[];
  readonly tools: readonly TextTool[];
};

export type TextAnswer =
  | {
      readonly ok: true;
      readonly text: string;
      readonly toolCalls: readonly TextToolCall[];
      readonly usage: TextUsage | undefined;
    }
  /** The reason may be shown: it contains no address and no key. */
  | { readonly ok: false; readonly reason: string };
