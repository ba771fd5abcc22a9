import { useState } from 'react';
import { folded, readableArguments } from './arguments.js';
import { JsonBlock } from './code-block.js';
import styles from './arguments-list.module.css';

/** What a tool is called with. All of it is text here: nothing is run, nothing becomes a link. */
export function ArgumentsList({
  value,
  empty = 'Without arguments',
}: {
  readonly value: unknown;
  /** Where there are none. */
  readonly empty?: string;
}) {
  const [json, showJson] = useState(false);
  const { rows, more } = readableArguments(value);
  if (rows.length === 0) return <p className={styles.empty}>{empty}</p>;
  return (
    <div className={styles.arguments}>
      {json ? (
        <JsonBlock value={value} />
      ) : (
        <dl className={styles.list}>
          {rows.map(({ label, value: text }, at) => (
            // Two paths may read the same, so the place names the row.
            <div key={at} className={styles.row}>
              <dt>
                <bdi>{label || 'Value'}</bdi>
              </dt>
              <dd dir="auto">
                <Value text={text} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <button
        type="button"
        className={styles.toggle}
        aria-pressed={json}
        onClick={() => showJson(!json)}
      >
        {json ? 'Show as a list' : more > 0 ? `Show as JSON (${more} more)` : 'Show as JSON'}
      </button>
    </div>
  );
}

function Value({ text }: { readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const start = folded(text);
  if (start === undefined) return text;
  return (
    <>
      {whole ? text : `${start}…`}{' '}
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {whole ? 'Show less' : 'Show all'}
      </button>
    </>
  );
}
