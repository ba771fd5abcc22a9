import { isObject, sameJson, type JsonObject } from '@parley/protocol';
import { mergeTools } from './merge-tools.js';
import { withFields, withTools } from './overrides.js';
import type { SessionState } from './session.js';
import { ruleOf } from './session-fields.js';
import { nested, sessionFields } from './session-update.js';

export type MergedSession = {
  readonly state: SessionState;
  /**
   * The session.update for the provider. It is sent even if it changes nothing: its session.updated
   * is the response to the client.
   */
  readonly event: JsonObject;
  readonly left: readonly string[];
};

/** Merges a client's session.update: takes the fields that the agent leaves open. */
export function mergeSession(
  state: SessionState,
  { event_id, session }: { event_id: unknown; session: JsonObject },
): MergedSession {
  const asked = leavesOf(session);
  const current = sessionFields(state);
  const taken = new Map<string, unknown>();
  const left: string[] = [];
  let { overrides } = state;
  for (const [name, value] of asked) {
    if (name === 'tools' && value !== null) {
      const merged = mergeTools(state, value);
      left.push(...merged.left);
      if (merged.tools) overrides = withTools(overrides, merged.tools);
    } else {
      const wish = judge({ state, current, asked }, name, value);
      if (wish === 'left') left.push(name);
      else if (wish !== 'absent') taken.set(wish.path, wish.value);
    }
  }
  const retooled = overrides !== state.overrides;
  const next = { ...state, overrides: withFields(overrides, taken) };
  const changed = new Map<string, unknown>([['type', 'realtime'], ...taken]);
  if (retooled) changed.set('tools', sessionFields(next).get('tools'));
  const id = typeof event_id === 'string' && { event_id };
  return { state: next, event: { type: 'session.update', ...id, session: nested(changed) }, left };
}

type Asked = {
  readonly state: SessionState;
  readonly current: ReadonlyMap<string, unknown>;
  readonly asked: ReadonlyMap<string, unknown>;
};
type Wish = { readonly path: string; readonly value: unknown } | 'left' | 'absent';

function judge({ state, current, asked }: Asked, name: string, value: unknown): Wish {
  const [path, rule] = ruleOf(name) ?? [name, {}];
  if (value === null && !rule.nullable) return 'absent';
  const wish = rule.take?.(value, state);
  // If both names are present, the current one counts.
  const beside = path !== name && asked.has(path) ? asked.get(path) : undefined;
  if (beside !== undefined) return sameJson(wish, beside) ? 'absent' : 'left';
  if (wish !== undefined && !rule.settled?.(state)) return { path, value: wish };
  const now = current.get(path);
  const same = rule.same ?? sameJson;
  return same(wish ?? value, now, state) ? 'absent' : 'left';
}

/** The fields by path. Only `audio` contains other fields. */
export function leavesOf(session: JsonObject): ReadonlyMap<string, unknown> {
  const { audio, ...flat } = session;
  const leaves = new Map(Object.entries(flat));
  if (!isObject(audio)) return audio === undefined ? leaves : leaves.set('audio', audio);
  for (const [side, fields] of Object.entries(audio)) {
    if (!isObject(fields)) leaves.set(`audio.${side}`, fields);
    else
      for (const [name, value] of Object.entries(fields))
        leaves.set(`audio.${side}.${name}`, value);
  }
  return leaves;
}
