/** Who did something, for the audit log and for decisions. */
export type Actor =
  | { kind: 'key'; id: string; name: string }
  | { kind: 'user'; id: string; name: string }
  | { kind: 'session'; id: string; name: string }
  | { kind: 'agent'; id: string; name: string }
  | { kind: 'administrator'; name: string }
  | { kind: 'system'; name: string };
