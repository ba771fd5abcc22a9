import type { ToolDeclaration } from './tool-declaration.js';

/** What the client has asked for and got, over what the session was created with. */
export type Overrides = {
  /** By their place in the provider's session, such as `audio.output.voice`. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly tools: readonly ToolDeclaration[];
  /** Names that it has taken back, the newest last: a response that began before may still call them. */
  readonly formerTools: readonly string[];
};

export const noOverrides: Overrides = { fields: new Map(), tools: [], formerTools: [] };

const maxFormer = 256;

export function withFields(before: Overrides, fields: ReadonlyMap<string, unknown>): Overrides {
  return { ...before, fields: new Map([...before.fields, ...fields]) };
}

/** The client's own tools from now on, instead of those that it asked for before. */
export function withTools(before: Overrides, tools: readonly ToolDeclaration[]): Overrides {
  const kept = new Set(tools.map(({ name }) => name));
  const former = [...before.formerTools, ...before.tools.map(({ name }) => name)];
  const gone = [...new Set(former)].filter((name) => !kept.has(name));
  return { ...before, tools, formerTools: gone.slice(-maxFormer) };
}
