import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type Tone = 'ok' | 'warn' | 'danger' | 'accent' | 'neutral';

/** A state as a word. The colour only repeats the word. */
export function Badge({
  tone = 'neutral',
  plain = false,
  children,
}: {
  readonly tone?: Tone;
  /** Without the dot: a type rather than a state. */
  readonly plain?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span className={[styles.badge, styles[tone], plain && styles.plain].filter(Boolean).join(' ')}>
      {children}
    </span>
  );
}
