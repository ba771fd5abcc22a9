import { useState } from 'react';
import { CopyButton } from './copy.js';
import styles from './code-block.module.css';

export type Snippet = { readonly language: string; readonly code: string };

/** Code to copy, in one or more languages. */
export function CodeBlock({
  snippets,
  label = 'Code',
  wrap = false,
}: {
  readonly snippets: readonly Snippet[];
  readonly label?: string;
  readonly wrap?: boolean;
}) {
  const [chosen, choose] = useState(0);
  const shown = snippets[chosen] ?? snippets[0];
  if (!shown) return null;
  return (
    <figure className={styles.block} aria-label={label}>
      <div className={styles.head}>
        {snippets.length === 1 ? (
          <span>{shown.language}</span>
        ) : (
          <div className={styles.tabs}>
            {snippets.map(({ language }, at) => (
              <button
                key={language}
                type="button"
                className={styles.tab}
                aria-pressed={at === chosen}
                onClick={() => choose(at)}
              >
                {language}
              </button>
            ))}
          </div>
        )}
        <CopyButton text={shown.code} label="Copy the code" />
      </div>
      <pre className={`${styles.code} ${wrap ? styles.wrap : ''}`} tabIndex={0}>
        <code>{shown.code}</code>
      </pre>
    </figure>
  );
}

/** A value as JSON. Everything is rendered as text: nothing runs, and nothing becomes a link. */
export function JsonBlock({
  value,
  label = 'JSON',
}: {
  readonly value: unknown;
  readonly label?: string;
}) {
  return (
    <CodeBlock
      wrap
      label={label}
      snippets={[{ language: label, code: JSON.stringify(value, null, 2) }]}
    />
  );
}
