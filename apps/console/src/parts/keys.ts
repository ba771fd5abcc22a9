import { useEffect, useRef } from 'react';

type Keys = ReadonlyMap<string, () => void>;

/** Single-letter shortcuts, inactive in text fields and while a dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = latest.current.get(event.key.toLowerCase());
      if (!act || isElsewhere(event)) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

const overlays = '[role="dialog"], [role="menu"], [role="listbox"]';
const fields = 'input, textarea, select, [contenteditable="true"]';

/** Whether a letter belongs to a text field, a menu or a dialog, or is part of a shortcut. */
export function isElsewhere(event: KeyboardEvent): boolean {
  return isAbove(event) || isWithin(event, fields);
}

/** The same for keys that are not typed into fields, such as Esc. */
export function isAbove(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  return isWithin(event, overlays);
}

function isWithin({ target }: KeyboardEvent, places: string): boolean {
  return target instanceof Element && target.closest(places) !== null;
}
