const telling = /authorization|api[-_]?key|token|secret|password|cookie/i;
const scheme = /^(?:bearer|basic|token|apikey) /i;

/**
 * Whether a header contains a secret in plain text, which everyone who may read the agent can read.
 */
export function holdsSecret(name: string, value: string): boolean {
  return telling.test(name) && value.trim() !== '' && !value.includes('{{');
}

export type MovedSecret = {
  readonly value: string;
  readonly secretName: string;
  readonly secret: string;
};

/**
 * Moves a header's value into a secret of the agent and keeps its scheme: `Bearer {{secret:NAME}}`.
 */
export function moveToSecret(name: string, value: string, taken: readonly string[]): MovedSecret {
  const begun = scheme.exec(value)?.[0] ?? '';
  const base = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^\d|^_/g, 'S_')
    .slice(0, 48);
  let secretName = base;
  for (let at = 2; taken.includes(secretName); at += 1) secretName = `${base}_${at}`;
  return {
    value: `${begun}{{secret:${secretName}}}`,
    secretName,
    secret: value.slice(begun.length).trim(),
  };
}
