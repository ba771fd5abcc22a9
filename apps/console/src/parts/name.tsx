import styles from './name.module.css';

/** What people call something, in two lines at most; the whole is in the tooltip. */
export function Name({ text }: { readonly text: string }) {
  return (
    <bdi className={styles.name} title={text}>
      {text}
    </bdi>
  );
}
