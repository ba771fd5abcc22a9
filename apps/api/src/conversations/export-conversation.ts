/** Reads the next batch; empty at the end. Rejects if the conversation was deleted. */
export type NextBatch = () => Promise<readonly object[]>;

export type ExportSource = {
  /** The part that fits into memory. */
  readonly conversation: object;
  /** The parts that may be long, by their names in the export. */
  readonly parts: Readonly<Record<string, NextBatch>>;
};

/**
 * Everything about one conversation as one JSON object. A batch is read once the reader has taken
 * the one before, so that a slow reader holds neither memory nor a connection. A failure truncates
 * the object, so that nobody mistakes a part for the whole.
 */
export async function* exportChunks({ conversation, parts }: ExportSource): AsyncGenerator<string> {
  yield `{"conversation":${JSON.stringify(conversation)}`;
  for (const [name, next] of Object.entries(parts)) {
    yield `,${JSON.stringify(name)}:[`;
    let separator = '';
    for (let batch = await next(); batch.length > 0; batch = await next()) {
      yield separator + batch.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
    yield ']';
  }
  yield '}\n';
}
