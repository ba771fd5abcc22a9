import { approvers as everybody, type Approver, type Tool } from '@parley/protocol';
import type { MadeCall, Run, ToolDeclaration } from '../calls/call.js';

/** A tool of any kind, ready to run. */
export type BoundTool = {
  readonly kind: Tool['kind'];
  readonly declaration: ToolDeclaration;
  readonly approvalRequired: boolean;
  /** Who may decide, if approval is required. */
  readonly approvers: readonly Approver[];
  readonly timeoutMs: number;
  readonly face: ToolFace;
  /** The MCP server that lists it, and its name there. */
  readonly listedBy?: { readonly server: string; readonly name: string };
  /**
   * An exception is the tool's failure: the model gets the message of a ToolFailure; anything else
   * is a bug.
   */
  readonly run: (input: ToolInput) => Promise<ToolResult | Suspended>;
};

/** What a client shows of a tool. */
export type ToolFace = {
  readonly title: string | null;
  readonly imageUrl: string | null;
  readonly button: { readonly label: string; readonly link: string } | null;
};

export type ToolInput = {
  readonly call: MadeCall;
  /** A sub-agent's progress, once it has started. */
  readonly run: Run | null;
  /** It started in another process: nobody here knows of it yet. */
  readonly isAdopted?: boolean;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Fires when the session ends, or when the tool's time is up. */
  readonly signal: AbortSignal;
};

export type ToolResult = {
  readonly status: 'succeeded' | 'failed';
  readonly output: string;
  /** The text for people; the output by default. */
  readonly text?: string | undefined;
  readonly buttonLabel?: string | undefined;
  readonly buttonLink?: string | undefined;
};

/** A sub-agent that waits for the approval of one of its own calls. */
export type Suspended = { readonly run: Run };

export class ToolFailure extends Error {}

const defaultTimeoutSeconds = 30;

type Common = Pick<BoundTool, 'approvalRequired' | 'approvers' | 'timeoutMs' | 'face'>;

/** What all kinds of tools have in common. */
export function commonOf(tool: Tool): Common {
  const { approvalRequired = false, approvers = everybody } = tool;
  const { timeoutSeconds = defaultTimeoutSeconds } = tool;
  const { title = null, imageUrl = null, button = null } = tool;
  const timeoutMs = timeoutSeconds * 1000;
  return { approvalRequired, approvers, timeoutMs, face: { title, imageUrl, button } };
}
