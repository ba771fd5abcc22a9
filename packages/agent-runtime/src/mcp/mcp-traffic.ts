import { setTimeout as delay } from 'node:timers/promises';
import pLimit from 'p-limit';
import { withDeadline, type Egress, type GuardedFetch } from '@parley/egress';
import { ToolFailure } from '../tools/tool.js';
import { guardAnswer, type Allowance } from './mcp-answer.js';

const maxAnswerBytes = 1024 * 1024;
/** What a server may cause between two requests of ours. */
const limits = {
  replies: 100,
  repliesTogether: 4,
  replyMs: 10_000,
  resumptions: 100,
  apartMs: 1000,
} as const;

export type McpTrafficOptions = {
  readonly egress: Pick<Egress, 'fetch'>;
  /** For the tool lists of all servers together. */
  readonly listing: Allowance;
  /** The server exceeds the limits: its connection must be closed. */
  readonly onFault: () => void;
  readonly pause?: (milliseconds: number) => Promise<unknown>;
};

/**
 * The requests of one connection. A server decides how often the SDK replies to requests of the
 * server's own, and how often it resumes a stream: here, both are limited.
 */
export class McpTraffic {
  /** Why the connection was closed. */
  fault: ToolFailure | undefined;
  readonly #options: McpTrafficOptions;
  readonly #replying = pLimit(limits.repliesTogether);
  #replies = 0;
  #resumptions = 0;
  #nextResumption: Promise<unknown> = Promise.resolve();

  constructor(options: McpTrafficOptions) {
    this.#options = options;
  }

  readonly fetch: GuardedFetch = async (target, init = {}) => {
    const { egress, listing } = this.#options;
    const { requestId, method } = askedIn(init.body);
    if (init.method === 'POST' && method === undefined) return this.#reply(target, init);
    if (init.method === 'GET') {
      const isResumption = new Headers(init.headers).has('last-event-id');
      // Nothing that a server says on its own is of use here.
      if (!isResumption) return new Response(null, { status: 405 });
      await this.#turnToResume();
    }
    if (requestId !== undefined) this.#replies = this.#resumptions = 0;
    const allowance = method === 'tools/list' ? listing : { bytes: maxAnswerBytes };
    return guardAnswer({ response: await egress.fetch(target, init), requestId, allowance });
  };

  async #reply(target: string | URL, init: RequestInit): Promise<Response> {
    this.#replies += 1;
    if (this.#replies > limits.replies) throw this.#fail('The server sent too many requests.');
    const timing = { timeoutMs: limits.replyMs, signal: init.signal ?? undefined };
    return this.#replying(() =>
      withDeadline(timing, async (signal) => {
        const { body, status, headers } = await this.#options.egress.fetch(target, {
          ...init,
          signal,
        });
        await body?.cancel();
        return new Response(null, { status, headers: new Headers([...headers]) });
      }),
    );
  }

  async #turnToResume(): Promise<void> {
    const { pause = pauseUnnoticed } = this.#options;
    this.#resumptions += 1;
    if (this.#resumptions > limits.resumptions)
      throw this.#fail('The server interrupted its response too often.');
    const turn = this.#nextResumption;
    this.#nextResumption = turn.then(() => pause(limits.apartMs));
    await turn;
  }

  #fail(reason: string): ToolFailure {
    this.fault ??= new ToolFailure(reason);
    this.#options.onFault();
    return this.fault;
  }
}

/** It keeps no process alive. */
function pauseUnnoticed(milliseconds: number): Promise<void> {
  return delay(milliseconds, undefined, { ref: false });
}

function askedIn(body: unknown): { requestId?: string; method?: string } {
  if (typeof body !== 'string') return {};
  const { id, method } = JSON.parse(body) as { id?: number | string; method?: string };
  return { ...(id !== undefined && { requestId: JSON.stringify(id) }), ...(method && { method }) };
}
