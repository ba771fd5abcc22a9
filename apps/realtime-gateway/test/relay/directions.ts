import { clientRoutes, clientTextRoute } from '#src/core/client-routes.js';
import { clientPassing, providerPassing } from '#src/core/passing.js';
import { providerRoutes, providerTextRoute } from '#src/core/provider-routes.js';
import { emptyTally } from '#src/metrics.js';
import type { SpliceOptions } from '#src/relay/splice.js';
import { running } from '../core/settings.js';

type Rules = Pick<SpliceOptions<string>, 'routeOf' | 'tally'> & { routes: Record<string, boolean> };

export type Direction = {
  /** Clients mask their frames. */
  readonly masked: boolean;
  /** The audio of this side, which passes. */
  readonly type: string;
  readonly rules: Rules;
};

/** Who sends in a session. */
export const directions: Readonly<Record<'client' | 'provider', Direction>> = {
  client: {
    masked: true,
    type: 'input_audio_buffer.append',
    rules: {
      routeOf: clientTextRoute,
      tally: emptyTally(clientRoutes),
      routes: clientPassing(running)!,
    },
  },
  provider: {
    masked: false,
    type: 'response.output_audio.delta',
    rules: {
      routeOf: providerTextRoute,
      tally: emptyTally(providerRoutes),
      routes: providerPassing({ ...running, spoken: true }, false)!,
    },
  },
};
