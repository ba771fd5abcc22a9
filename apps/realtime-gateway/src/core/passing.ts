import { clientRoutes, type ClientRoute } from './client-routes.js';
import { providerRoutes, type ProviderRoute } from './provider-routes.js';
import type { SessionState } from './session.js';

/**
 * Which routes only need forwarding. Their frames change neither the state nor anything else, so
 * they skip `step`.
 */
export type Passing<Route extends string> = Readonly<Record<Route, boolean>>;

const fromClient = passing(clientRoutes, ['forward', 'unknown', 'binary']);

const always = ['forward', 'unknown', 'binary'] as const;

/**
 * Audio passes once the agent has been heard; mentions do not pass for OpenAI clients or while
 * replayed items are unacknowledged.
 */
const fromProvider = {
  silent: {
    all: passing(providerRoutes, [...always, 'mention']),
    some: passing(providerRoutes, always),
  },
  spoken: {
    all: passing(providerRoutes, [...always, 'mention', 'audio']),
    some: passing(providerRoutes, [...always, 'audio']),
  },
};

export function clientPassing({ phase }: SessionState): Passing<ClientRoute> | undefined {
  return phase === 'running' ? fromClient : undefined;
}

/** While anything waits for the agent's first audio, that route does not pass. */
export function providerPassing(
  { phase, spoken, settings, side }: SessionState,
  isVoiceAwaited: boolean,
): Passing<ProviderRoute> | undefined {
  if (phase !== 'running') return undefined;
  const routes = fromProvider[spoken && !isVoiceAwaited ? 'spoken' : 'silent'];
  return routes[settings.door || side.echoes.size > 0 ? 'some' : 'all'];
}

function passing<Route extends string>(
  all: Readonly<Record<Route, string>>,
  names: readonly NoInfer<Route>[],
): Passing<Route> {
  const entries = Object.keys(all).map((route) => [route, names.includes(route as NoInfer<Route>)]);
  return Object.freeze(Object.fromEntries(entries)) as Passing<Route>;
}
