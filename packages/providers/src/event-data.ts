import { createParser } from 'eventsource-parser';

/** The stream is longer than anybody will read. */
export class StreamTooLong extends Error {
  override readonly name = 'StreamTooLong';
}

export type StreamLimits = { readonly eventCharacters: number; readonly bytes: number };

/**
 * The data of server-sent events, in order. Each byte is scanned once, however small the chunks of
 * an event are.
 */
export async function* eventData(
  body: AsyncIterable<Uint8Array>,
  limits: StreamLimits,
): AsyncGenerator<string> {
  let waiting: string[] = [];
  let bytes = 0;
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: limits.eventCharacters,
    onEvent: ({ data }) => waiting.push(data),
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded') throw new StreamTooLong();
    },
  });
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw new StreamTooLong();
    parser.feed(decoder.decode(chunk, { stream: true }));
    const ready = waiting;
    waiting = [];
    yield* ready;
  }
}
