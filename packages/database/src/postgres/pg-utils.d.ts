declare module 'pg/lib/utils.js' {
  /** A value as PostgreSQL's protocol takes it. */
  export function prepareValue(value: unknown): unknown;
}
