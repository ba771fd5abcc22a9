import { isObject } from '@parley/protocol';
import type { ProviderRoute } from './provider-routes.js';
import { readObject } from './read-event.js';
import type { ReceivedFrame, SessionState } from './session.js';

const acknowledgements: ReadonlySet<unknown> = new Set([
  'conversation.item.added',
  'conversation.item.created',
  'conversation.item.done',
]);

/**
 * The provider acknowledges an item that was replayed to it. The client has known it for long, so
 * it is not told again. Undefined for anything else.
 */
export function acknowledge(
  state: SessionState,
  route: ProviderRoute,
  { frame }: { readonly frame: ReceivedFrame },
): SessionState | undefined {
  const { echoes } = state.side;
  if (echoes.size === 0 || (route !== 'slot' && route !== 'mention')) return undefined;
  const event = readObject(frame.data);
  if (!event || !acknowledgements.has(event['type'])) return undefined;
  const id = isObject(event['item']) ? event['item']['id'] : undefined;
  if (typeof id !== 'string' || !echoes.has(id)) return undefined;
  if (event['type'] !== 'conversation.item.done') return state;
  const left = new Set(echoes);
  left.delete(id);
  return { ...state, side: { ...state.side, echoes: left } };
}
