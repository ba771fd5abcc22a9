/** Reads what comes after the last thing that was read; nothing when all of it was. Rejects when the conversation is gone. */
export type NextBatch = () => Promise<readonly object[]>;

export type ExportSource = {
  /** What fits in memory whole. */
  readonly conversation: object;
  /** The parts that may be long, by their names in the export. */
  readonly parts: Readonly<Record<string, NextBatch>>;
};

/**
 * Everything about one conversation as one JSON object. A batch is read when the reader has taken the one before, so that neither memory nor a
 * connection is held for a slow reader. What goes wrong on the way breaks the object off: nobody takes a part for the whole.
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
