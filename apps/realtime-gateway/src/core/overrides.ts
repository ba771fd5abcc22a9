import type { ToolDeclaration } from './tool-declaration.js';

/** What the client requested and got, on top of what the session was created with. */
export type Overrides = {
  /** By path in the provider's session, such as `audio.output.voice`. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly tools: readonly ToolDeclaration[];
  /**
   * Names of tools that the client withdrew, newest last: a response that began earlier may still
   * call them.
   */
  readonly formerTools: readonly string[];
  /**
   * Paths that a client which may change everything has asked for: whatever the provider makes of
   * them is kept in `fields`.
   */
  readonly asked: ReadonlySet<string>;
};

export const noOverrides: Overrides = {
  fields: new Map(),
  tools: [],
  formerTools: [],
  asked: new Set(),
};

const maxFormer = 256;

export function withFields(before: Overrides, fields: ReadonlyMap<string, unknown>): Overrides {
  return { ...before, fields: new Map([...before.fields, ...fields]) };
}

/** Adds paths to those that the client asked for. */
export function withAsked(before: Overrides, paths: Iterable<string>): Overrides {
  return { ...before, asked: new Set([...before.asked, ...paths]) };
}

/** Takes what the provider's session has at the paths that the client asked for. */
export function withGranted(before: Overrides, session: ReadonlyMap<string, unknown>): Overrides {
  const granted = [...before.asked].filter((path) => session.has(path));
  return withFields(before, new Map(granted.map((path) => [path, session.get(path)])));
}

/** Replaces the tools that the client requested before. */
export function withTools(before: Overrides, tools: readonly ToolDeclaration[]): Overrides {
  const kept = new Set(tools.map(({ name }) => name));
  const former = [...before.formerTools, ...before.tools.map(({ name }) => name)];
  const gone = [...new Set(former)].filter((name) => !kept.has(name));
  return { ...before, tools, formerTools: gone.slice(-maxFormer) };
}
