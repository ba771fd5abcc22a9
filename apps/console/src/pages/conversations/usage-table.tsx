import type { ModelUsage } from '@parley/client/server';
import { countText, durationText } from '../../parts/words.js';
import styles from './conversation.module.css';

const rows: readonly { readonly label: string; readonly of: (usage: ModelUsage) => number }[] = [
  { label: 'Text read', of: (usage) => usage.inputTextTokens },
  { label: 'Audio heard', of: (usage) => usage.inputAudioTokens },
  { label: 'Of these, cached', of: (usage) => usage.inputCachedTokens },
  { label: 'Text written', of: (usage) => usage.outputTextTokens },
  { label: 'Audio spoken', of: (usage) => usage.outputAudioTokens },
];

/** Tokens per model. */
export function UsageTable({ usage }: { readonly usage: readonly ModelUsage[] }) {
  if (usage.length === 0) return <p className={styles.quiet}>No usage yet.</p>;
  return usage.map((each) => (
    <dl key={each.model} className={styles.facts} aria-label={each.model}>
      <dt className={styles.model}>
        <code>{each.model}</code>
      </dt>
      <dd className={styles.number}>tokens</dd>
      {rows.map(({ label, of }) => (
        <UsageRow key={label} label={label} value={countText(of(each))} />
      ))}
      {each.transcriptionSeconds > 0 && (
        <UsageRow label="Transcribed" value={durationText(each.transcriptionSeconds * 1_000)} />
      )}
    </dl>
  ));
}

function UsageRow({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className={styles.number}>{value}</dd>
    </>
  );
}
