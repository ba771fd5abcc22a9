import type { Approval } from '@parley/client/server';
import { Badge } from '../../parts/badge.js';
import { useNow } from '../../parts/time.js';
import { clockText } from '../../parts/words.js';
import { stateWords } from './state-words.js';
import styles from './approvals.module.css';

/** A countdown while it waits, then its outcome. */
export function TimeLeft({ approval }: { readonly approval: Approval }) {
  const now = useNow(1_000);
  if (approval.state !== 'waiting') {
    const { word, tone } = stateWords[approval.state];
    return <Badge tone={tone}>{word}</Badge>;
  }
  const left = (Date.parse(approval.deadline) - now) / 1_000;
  return (
    <span className={styles.left} data-urgent={left <= 10}>
      {left <= 0 ? 'Time is over' : clockText(left)}
    </span>
  );
}
