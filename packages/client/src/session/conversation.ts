/**
 * A message of the conversation, in the order in which it was said. `text` is everything known so
 * far.
 */
export type Message = {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Whether the message is complete. */
  readonly final: boolean;
  /** Whether the message was interrupted, so that not all of it was heard. */
  readonly interrupted: boolean;
  /**
   * Approximately how many characters of the text were heard; all of them unless it was
   * interrupted.
   */
  readonly heardLength: number;
  /** Whether it was said in an earlier session of the conversation. */
  readonly replayed: boolean;
};

/** A tool call: of one of this client's tools, or one that the service runs. */
export type ToolCall = {
  readonly callId: string;
  readonly name: string;
  readonly origin: 'client' | 'service';
  /** Display name, if the tool has one. */
  readonly title: string | null;
  readonly imageUrl: string | null;
  /** Parsed; the raw text if it is not valid JSON. */
  readonly arguments: unknown;
  /** `waiting` until somebody approves the call. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** The result of the call. */
  readonly output: string | null;
  readonly link: { readonly label: string; readonly url: string } | null;
};

/** A tool call that needs a decision. */
export type Approval = {
  readonly callId: string;
  readonly call: ToolCall | undefined;
  /** `cancelled`: its session ended, or the response that it belongs to. */
  readonly state: 'waiting' | 'approved' | 'rejected' | 'expired' | 'cancelled';
  /** False if the call can only be decided over the REST API. */
  readonly decidable: boolean;
  readonly deadline: Date;
  /** Counts down to 0. */
  readonly secondsLeft: number;
  readonly approve: () => void;
  readonly reject: () => void;
};

/**
 * `listening`: the user is speaking; `thinking`: the answer is pending; `speaking`: the agent is
 * answering.
 */
export type Activity = 'idle' | 'listening' | 'thinking' | 'speaking';
