/**
 * Ids of the events and items that the service itself sends to the provider: `gw_output_3_` and a
 * code that only this session can compute. So nobody can claim such an id in advance, and an id
 * that merely looks like one is not mistaken for it. The provider accepts 32 characters.
 */
const prefix = 'gw_';
const shape = /^gw_(session|history|output|create)_(\d{1,6})_/;

export type OwnKind = 'session' | 'history' | 'output' | 'create';

/**
 * Computes a code of 12 characters, the same for the same name. Nobody outside the session can
 * predict it.
 */
export type CodeFor = (name: string) => string;

export function ownId(codeFor: CodeFor, kind: OwnKind, nth: number): string {
  const name = `${prefix}${kind}_${nth}_`;
  return name + codeFor(name);
}

/** What the service sent under this id; undefined if the id is not one of this session's. */
export function ownKind(codeFor: CodeFor, id: string): OwnKind | undefined {
  const [, kind, nth] = shape.exec(id) ?? [];
  return kind !== undefined && id === ownId(codeFor, kind as OwnKind, Number(nth))
    ? (kind as OwnKind)
    : undefined;
}

/**
 * Whether an id is in the service's namespace, valid or not. Parsers that ignore case would read it
 * as one.
 */
export function looksOwn(id: unknown): boolean {
  return typeof id === 'string' && id.trim().toLowerCase().startsWith(prefix);
}
