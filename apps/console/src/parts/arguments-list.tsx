import { useState } from 'react';
import { folded, readableArguments } from './arguments.js';
import { JsonBlock } from './code-block.js';
import styles from './arguments-list.module.css';

/**
 * The arguments of a tool call. Everything is rendered as text: nothing runs, and nothing becomes a
 * link.
 */
export function ArgumentsList({
  value,
  empty = 'No arguments',
}: {
  readonly value: unknown;
  /** Shown if there are none. */
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
            // Two paths may have the same label, so the index is the key.
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
