import { sameJson, valueAt } from './json.js';

/** What is wrong at each place of an agent, by its JSON pointer: `/tools/0/url`. */
export type FieldErrors = ReadonlyMap<string, string>;

const missing = /^must have required property '([^']{1,100})'$/;

/** A field that is not there is told at its own place rather than at what it is missing from. */
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

/** Only what has not been changed since it was refused. */
export function stillWrong(errors: FieldErrors, sent: unknown, now: unknown): FieldErrors {
  return new Map([...errors].filter(([path]) => sameJson(valueAt(sent, path), valueAt(now, path))));
}

/** The errors inside of one place, by the rest of their pointers. */
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
