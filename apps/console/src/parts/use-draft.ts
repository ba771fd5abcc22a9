import { useEffect, useRef, useState } from 'react';
import { adopted, draftOf, sent, settled, typed } from './draft.js';

type Options = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Other texts are not sent. */
  readonly isComplete: (text: string) => boolean;
};

/** The text of a filter. It is sent a moment after the last keystroke, or at once with `send`. */
export function useDraft({ value, onChange, isComplete }: Options) {
  const [draft, setDraft] = useState(() => draftOf(value));
  if (draft.value !== value) setDraft(adopted(draft, value));
  const { text } = draft;
  const isDue = text !== settled(draft) && isComplete(text);
  const send = (next: string) => {
    setDraft((now) => sent(now, next));
    onChange(next);
  };
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    if (!isDue) return;
    const timer = setTimeout(() => latest.current(text), 250);
    return () => clearTimeout(timer);
  }, [isDue, text]);
  return {
    text,
    type: (next: string) => setDraft((now) => typed(now, next)),
    send,
    /** Sends the text if it is complete, or else drops it. */
    finish: () => {
      if (isDue) send(text);
      else setDraft((now) => typed(now, settled(now)));
    },
  };
}
