import { createParser } from 'eventsource-parser';

/** A stream says more than anybody will read. */
export class StreamTooLong extends Error {
  override readonly name = 'StreamTooLong';
}

export type StreamLimits = { readonly eventCharacters: number; readonly bytes: number };

/** The data of server-sent events, in order. Bytes are looked at once, however small the pieces that an event comes in. */
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
