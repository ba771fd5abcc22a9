import { useState } from 'react';
import { beginningOf } from './beginning.js';
import { Button } from './button.js';
import { countText } from './words.js';
import styles from './long-text.module.css';

/**
 * A message or a tool's result, always rendered as text. A very long one is collapsed to its
 * beginning.
 */
export function LongText({
  text,
  fold = 2_000,
}: {
  readonly text: string;
  readonly fold?: number;
}) {
  const [whole, setWhole] = useState(false);
  const folds = text.length > fold * 1.2;
  return (
    <>
      <div className={styles.text} dir="auto">
        {folds && !whole ? `${beginningOf(text, fold)}…` : text}
      </div>
      {folds && (
        <div className={styles.more}>
          <Button small onClick={() => setWhole(!whole)} aria-expanded={whole}>
            {whole ? 'Show less' : `Show all ${countText(text.length)} characters`}
          </Button>
        </div>
      )}
    </>
  );
}
