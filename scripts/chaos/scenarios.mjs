// The table of faults. A row says what goes wrong (`start`, whose result may `stop` it), for how long
// (`seconds`, after which it is stopped), and which of the sessions that were open are lost by it, and
// how (`lost`: the allowed ends, "none" if it may also survive, or undefined for those that have to
// survive). `prepare` and `restore` run before the population comes and after it has left. `quick`
// rows are part of every run; `needs` names a program without which a row is left out. A row with
// `alone` has no cluster, and does everything itself.
import { clients } from './faults/clients.mjs';
import { clock } from './faults/clock.mjs';
import { pods } from './faults/pods.mjs';
import { postgres } from './faults/postgres.mjs';
import { provider } from './faults/provider.mjs';
import { redis } from './faults/redis.mjs';
import { standalone } from './faults/standalone.mjs';

export const scenarios = {
  ...pods,
  ...redis,
  ...postgres,
  ...provider,
  ...clients,
  ...clock,
  ...standalone,
};
