import { bindMethods } from '#src/server/bind-methods.js';
import type { CallOptions } from '#src/server/call-options.js';
import { methods, type Groups } from '#src/server/groups.js';
import { Transport } from '#src/server/transport.js';

export type SentRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal | null | undefined;
};
export type Scripted = (request: SentRequest) => Response | Promise<Response>;

export type ScriptedService = Groups & {
  readonly requests: readonly SentRequest[];
  /** How long the client waited before each repetition. */
  readonly waits: readonly number[];
};

/** The client, of a service that gives these answers one after the other, and the last one for ever. Nobody waits. */
export function scriptedService(
  answers: readonly Scripted[],
  defaults: CallOptions = {},
): ScriptedService {
  const requests: SentRequest[] = [];
  const waits: number[] = [];
  const transport = new Transport({
    baseUrl: 'https://parley.example.com',
    apiKey: 'parley_key',
    organizationId: 'organization',
    async fetch(input, init) {
      const { pathname, search } = new URL(input as string);
      const request = {
        method: init?.method ?? 'GET',
        path: `${pathname}${search}`,
        headers: new Headers(init?.headers),
        body: init?.body,
        signal: init?.signal,
      };
      const answer = answers[Math.min(requests.length, answers.length - 1)]!;
      requests.push(request);
      return answer(request);
    },
    pause(ms, signals) {
      waits.push(ms);
      for (const signal of signals) signal.throwIfAborted();
      return Promise.resolve();
    },
  });
  const groups = Object.fromEntries(
    (Object.keys(methods) as (keyof Groups)[]).map((group) => [
      group,
      bindMethods(group, { transport, defaults }),
    ]),
  ) as unknown as Groups;
  return { ...groups, requests, waits };
}

export function json(value: unknown, init: ResponseInit = {}): Scripted {
  return () => Response.json(value, init);
}

export function problem(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Scripted {
  const body = { type: `/docs/errors#${code}`, title: code, status, detail: `It is ${code}.` };
  return () => Response.json(body, { status, headers });
}

export const broken: Scripted = () => {
  throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
};

/** A body that comes in these pieces; `thenBreak` ends it in the middle. */
export function pieces(texts: readonly string[], { thenBreak = false } = {}): Scripted {
  return () => {
    const left = texts.map((text) => new TextEncoder().encode(text));
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const next = left.shift();
        if (next) controller.enqueue(next);
        else if (thenBreak) controller.error(new TypeError('terminated'));
        else controller.close();
      },
    });
    return new Response(body);
  };
}

/** An answer that never comes. */
export const silence: Scripted = ({ signal }) =>
  new Promise((_, reject) => {
    signal!.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function failureOf(work: PromiseLike<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
