import type { ApiUnderTest, Tenant } from './api-under-test.js';

export type SentEvent = {
  id: string | undefined;
  type: string;
  data: { type: string; timestamp: string; data: Record<string, unknown> };
};

export type EventReader = {
  response: Response;
  /** The id that came last, with an event or without. */
  readonly lastId: string | undefined;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<SentEvent | undefined>;
  close(): void;
};

/** Reads the events of an organization as a browser does. */
export async function listenTo(
  { url }: Pick<ApiUnderTest, 'url'>,
  { key, id }: Pick<Tenant, 'key' | 'id'>,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const closing = new AbortController();
  const response = await fetch(`${url}/api/v1/Event`, {
    signal: closing.signal,
    headers: { 'X-Api-Key': key, 'X-Org-Id': id, ...headers },
  });
  const blocks = blocksOf(response.body ?? new ReadableStream());
  let lastId: string | undefined;
  return {
    response,
    get lastId() {
      return lastId;
    },
    async next() {
      for (;;) {
        const { value: block, done } = await blocks.next().catch(ended);
        if (done === true) return undefined;
        const fields = new Map(block.split('\n').map(fieldIn));
        lastId = fields.get('id') ?? lastId;
        const data = fields.get('data');
        if (data !== undefined)
          return {
            id: fields.get('id'),
            type: fields.get('event') ?? '',
            data: JSON.parse(data) as SentEvent['data'],
          };
      }
    },
    close: () => closing.abort(),
  };
}

/** Left by the reader, or broken off. */
function ended(): IteratorReturnResult<undefined> {
  return { value: undefined, done: true };
}

function fieldIn(line: string): [string, string] {
  const [name = '', ...value] = line.split(': ');
  return [name, value.join(': ')];
}

async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const blocks = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks;
  }
  return undefined;
}
