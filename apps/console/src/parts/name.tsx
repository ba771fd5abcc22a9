import styles from './name.module.css';

/** A name in at most two lines, with the full text as a tooltip. */
export function Name({ text }: { readonly text: string }) {
  return (
    <bdi className={styles.name} title={text}>
      {text}
    </bdi>
  );
}
