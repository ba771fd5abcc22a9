import type { Deadline } from './deadline.js';
import type { Reading } from './transport.js';

/**
 * The body, piece by piece. Each piece gets the timeout of an attempt; the connection is closed
 * when the reader stops.
 */
export function streamBody(
  response: Response,
  deadline: Deadline,
): Promise<Reading<ReadableStream<Uint8Array<ArrayBuffer>>>> {
  const reader = response.body?.getReader();
  const value = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        deadline.restart();
        try {
          const piece = await reader?.read();
          deadline.pause();
          if (piece?.value) {
            controller.enqueue(piece.value);
            return;
          }
          deadline.end();
          controller.close();
        } catch (error) {
          deadline.end();
          controller.error(deadline.failureOf(error));
        }
      },
      async cancel(reason) {
        deadline.end();
        await reader?.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  deadline.pause();
  return Promise.resolve({ value, goesOn: true });
}

/** The text of a body, piece by piece. Leaving the loop closes the connection. */
export async function* textOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    yield decoder.decode();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
