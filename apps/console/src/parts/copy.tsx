import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.js';
import { tell } from './toasts.js';
import styles from './copy.module.css';

/** True for a moment after copying, as feedback. */
function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      // Pages over plain HTTP have no clipboard.
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      tell({ title: 'Your browser did not allow copying', text: 'Select the text instead.' });
    }
  };
  return { copied, copy: () => void copy() };
}

type CopyProps = { readonly text: string; readonly label: string };

/** A small icon. Clicking it does not follow the link of its row. */
export function CopyButton({ text, label }: CopyProps) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={copied ? 'Copied' : label}
      title={copied ? 'Copied' : label}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        copy();
      }}
    >
      {copied ? <Check size={14} /> : <Copy size={14} />}
    </button>
  );
}

export function CopyTextButton({ text, label, look }: CopyProps & { readonly look?: 'primary' }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button onClick={copy} {...(look && { look })}>
      {copied ? <Check size={16} /> : <Copy size={16} />}
      {copied ? 'Copied' : label}
    </Button>
  );
}

/** The beginning of an id, which is enough to tell two apart; the button copies all of it. */
export function ShortId({ id, what = 'id' }: { readonly id: string; readonly what?: string }) {
  return (
    <span className={styles.id} title={id}>
      {id.slice(0, 8)}
      <CopyButton text={id} label={`Copy the ${what}`} />
    </span>
  );
}
