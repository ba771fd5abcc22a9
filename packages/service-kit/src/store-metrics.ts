import pTimeout from 'p-timeout';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { scrapePatienceMs } from './read-on-scrape.js';

type Store = 'redis' | 'postgres';
type Ping = () => Promise<unknown>;

/**
 * Reported by the adapters of both stores. `failed` means that the store did not respond, not that
 * it refused.
 */
export type StoreMetrics = {
  readonly redis: {
    readonly command: (seconds: number, failed: boolean) => void;
    readonly reconnected: () => void;
  };
  readonly postgres: { readonly transaction: (seconds: number, failed: boolean) => void };
  /** From now on, both are pinged whenever metrics are collected. */
  watch(pings: Readonly<Record<Store, Ping>>): void;
};

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const perRegistry = new WeakMap<Registry, StoreMetrics>();

/** The store metrics of a registry: the same ones each time, for apps that share a registry. */
export function storeMetrics(registry: Registry): StoreMetrics {
  const metrics = perRegistry.get(registry) ?? createStoreMetrics(registry);
  perRegistry.set(registry, metrics);
  return metrics;
}

function createStoreMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const labelNames = ['outcome'];
  const commands = new Histogram({
    name: 'parley_redis_command_seconds',
    help: 'Time from sending a command to Redis until its response, including retries; failed means that there was no response.',
    labelNames,
    buckets,
    registers,
  });
  const transactions = new Histogram({
    name: 'parley_postgres_transaction_seconds',
    help: 'Duration of transactions, including the wait for a connection; failed means that PostgreSQL was unavailable or too slow.',
    labelNames,
    buckets,
    registers,
  });
  const reconnects = new Counter({
    name: 'parley_redis_reconnects_total',
    help: 'Number of times the connection to Redis was lost and re-established.',
    registers,
  });
  for (const outcome of ['answered', 'failed'])
    for (const histogram of [commands, transactions]) histogram.zero({ outcome });
  return {
    redis: {
      command: (seconds, failed) => commands.observe(outcomeOf(failed), seconds),
      reconnected: () => reconnects.inc(),
    },
    postgres: {
      transaction: (seconds, failed) => transactions.observe(outcomeOf(failed), seconds),
    },
    watch: (pings) => showWhetherUp(registry, pings),
  };
}

function showWhetherUp(registry: Registry, pings: Readonly<Record<Store, Ping>>): void {
  const name = 'parley_store_up';
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Whether the store responded to this process when metrics were collected: 1 or 0.',
    labelNames: ['store'],
    registers: [registry],
    async collect() {
      await Promise.all(
        Object.entries(pings).map(async ([store, ping]) => {
          this.set({ store }, (await answers(ping)) ? 1 : 0);
        }),
      );
    },
  });
}

function answers(ping: Ping): Promise<boolean> {
  return pTimeout(ping(), { milliseconds: scrapePatienceMs }).then(
    () => true,
    () => false,
  );
}

function outcomeOf(failed: boolean): { outcome: 'failed' | 'answered' } {
  return { outcome: failed ? 'failed' : 'answered' };
}
