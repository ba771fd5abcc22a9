import type { Actor, Database, SecretBox } from '@parley/database';
import type { QuotaLimits } from '@parley/protocol';

/** What a command answers: one object for --json, and how a person reads it. */
export type Answer = {
  json: Record<string, unknown>;
  rows: Record<string, unknown>[];
  note?: string;
  failed?: boolean;
};

/** What a command works on. */
export type Deployment = {
  url: string;
  /** Made when a command asks for it: most need no key. */
  secretBox: () => Promise<SecretBox>;
  /** Where people reach the console. */
  publicUrl: string;
  /** What organizations may use unless they have quotas of their own. */
  quotas: QuotaLimits;
};

export type Input = Deployment & {
  database: Database;
  options: Readonly<Record<string, string>>;
  positional: string | undefined;
  /** The first line of what is typed or piped in. */
  readLine: () => Promise<string>;
};

export type Command = {
  usage: string;
  doc: string;
  options: readonly string[];
  /** It takes a third word. */
  positional?: true;
  /** What is asked before it runs; the command destroys something. */
  confirm?: (input: Input) => Promise<string>;
  run: (input: Input) => Promise<Answer>;
};

export const administrator: Actor = { kind: 'administrator', name: 'command line' };
