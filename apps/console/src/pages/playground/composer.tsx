import { SendHorizontal } from 'lucide-react';
import { useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { IconButton } from '../../parts/button.js';
import styles from './composer.module.css';

/** Enter sends, Shift+Enter starts a new line. */
export function Composer({
  text,
  onText,
  onSend,
  disabled,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSend: (text: string) => void;
  readonly disabled: boolean;
}) {
  const [composing, setComposing] = useState(false);
  const isEmpty = text.trim() === '';
  const send = () => {
    if (isEmpty || disabled) return;
    onSend(text.trim());
    onText('');
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={styles.composer}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        className={styles.input}
        rows={Math.min(6, text.split('\n').length)}
        aria-label="Message"
        placeholder="Write to the agent"
        value={text}
        disabled={disabled}
        maxLength={20_000}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={press}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
      />
      <IconButton
        type="submit"
        label="Send the message"
        icon={<SendHorizontal size={16} />}
        look="secondary"
        disabled={isEmpty || disabled}
      />
    </form>
  );
}
