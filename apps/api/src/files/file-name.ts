import { fileLimits } from '@parley/protocol';

const controls = /[\p{Cc}\p{Surrogate}\u202A-\u202E\u2066-\u2069]/gu;

/**
 * A name that can be stored, shown and sent in a header: no folders, and no characters that could
 * deceive a terminal or a reader.
 */
export function storableName(sent: string): string {
  const base = sent.split(/[/\\]/).at(-1) ?? '';
  const name = base
    .replaceAll(controls, '')
    .trim()
    .slice(0, fileLimits.nameLength)
    .replace(/\p{Surrogate}$/u, '');
  return /^\.*$/.test(name) ? 'file' : name;
}
