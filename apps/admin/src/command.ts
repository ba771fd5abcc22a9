import type { Actor, Database, SecretBox } from '@parley/database';
import type { QuotaLimits } from '@parley/protocol';

/** The result of a command: one object for --json, and text for people. */
export type Answer = {
  json: Record<string, unknown>;
  rows: Record<string, unknown>[];
  note?: string;
  failed?: boolean;
};

/** What a command works on. */
export type Deployment = {
  url: string;
  /** Created on demand: most commands need no key. */
  secretBox: () => Promise<SecretBox>;
  /** The public address of the console. */
  publicUrl: string;
  /** The default quotas of organizations. */
  quotas: QuotaLimits;
};

export type Input = Deployment & {
  database: Database;
  options: Readonly<Record<string, string>>;
  positional: string | undefined;
  /** The first line of the input, typed or piped. */
  readLine: () => Promise<string>;
};

export type Command = {
  usage: string;
  doc: string;
  options: readonly string[];
  /** Takes a third word. */
  positional?: true;
  /** The question to confirm first; the command is destructive. */
  confirm?: (input: Input) => Promise<string>;
  run: (input: Input) => Promise<Answer>;
};

export const administrator: Actor = { kind: 'administrator', name: 'command line' };
