/** A server's response to a request. */
export type McpAnswer = {
  readonly response: Response;
  /** The JSON-RPC id of the request, as JSON; undefined for a notification. */
  readonly requestId?: string | undefined;
  readonly allowance: Allowance;
};

/** How many bytes may still be read. Requests that share one compete for it. */
export type Allowance = { bytes: number };

const endings = {
  tooLarge: 'The answer is too large.',
  brokenOff: 'The server interrupted its response.',
} as const;

/**
 * The same response, whose body fails once it exceeds the allowance. If a stream of events ends,
 * this adds an event that says so: without it, the SDK waits for the response until the call times
 * out. If the response was already received, it counts. A server that numbers its events promises
 * that the stream can be resumed, so those are left to the SDK.
 */
export function guardAnswer({ response, requestId, allowance }: McpAnswer): Response {
  if (!response.body) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const last = (message: string) => {
    const error = `{"code":-32000,"message":${JSON.stringify(message)}}`;
    return new TextEncoder().encode(
      `\n\ndata: {"jsonrpc":"2.0","id":${requestId ?? 'null'},"error":${error}}\n\n`,
    );
  };
  const told = isStream && requestId !== undefined ? last : undefined;
  const body = limited(response.body, { allowance, last: told });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers: new Headers([...headers]) });
}

type LastEvent = (message: string) => Uint8Array;

function limited(
  source: ReadableStream<Uint8Array>,
  { allowance, last }: Pick<McpAnswer, 'allowance'> & { last: LastEvent | undefined },
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const numbered = new NumberedEvents();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const end = (message: string, error: unknown) => {
        const told = numbered.seen && message !== endings.tooLarge ? undefined : last;
        if (told) controller.enqueue(told(message));
        if (told || error === undefined) controller.close();
        else controller.error(error);
      };
      try {
        const { value, done } = await reader.read();
        allowance.bytes -= value?.length ?? 0;
        if (done) end(endings.brokenOff, undefined);
        else if (allowance.bytes < 0) {
          await reader.cancel();
          end(endings.tooLarge, new Error(endings.tooLarge));
        } else {
          if (last) numbered.read(value);
          controller.enqueue(value);
        }
      } catch (error) {
        end(endings.brokenOff, error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Detects whether a stream of events has had one with an id. */
class NumberedEvents {
  seen = false;
  #tail = '\n';

  read(chunk: Uint8Array): void {
    const text = this.#tail + Buffer.from(chunk).toString('latin1');
    this.seen ||= /[\r\n]id:/.test(text);
    this.#tail = text.slice(-3);
  }
}
