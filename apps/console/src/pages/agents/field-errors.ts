import { sameJson } from '../../parts/changes.js';
import { valueAt } from './json.js';

/** The error of each field of an agent, by its JSON pointer: `/tools/0/url`. */
export type FieldErrors = ReadonlyMap<string, string>;

const missing = /^must have required property '([^']{1,100})'$/;

/** Moves the error about a missing field from its parent to the field itself. */
export function atFields(errors: FieldErrors): FieldErrors {
  return new Map(
    [...errors].map(([path, message]) => {
      const name = missing.exec(message)?.[1];
      return name === undefined
        ? [path, sentence(message)]
        : [`${path}/${name}`, 'This is required.'];
    }),
  );
}

/** Only the errors of fields that have not changed since they were refused. */
export function stillWrong(errors: FieldErrors, sent: unknown, now: unknown): FieldErrors {
  return new Map([...errors].filter(([path]) => sameJson(valueAt(sent, path), valueAt(now, path))));
}

/** The errors below one pointer, by the rest of their pointers. */
export function errorsWithin(errors: FieldErrors, pointer: string): FieldErrors {
  return new Map(
    [...errors]
      .filter(([path]) => path === pointer || path.startsWith(`${pointer}/`))
      .map(([path, message]) => [path.slice(pointer.length), message]),
  );
}

/** "must not be blank" → "This must not be blank." */
function sentence(message: string): string {
  return `This ${message}${/[.!?]$/.test(message) ? '' : '.'}`;
}
