import type { LoadedAgent } from '@parley/agent-runtime';

type Agent = LoadedAgent['agent'];

/**
 * Every open session keeps its agent, whose texts and tools can be most of its memory, and most
 * sessions have the same few agents: what is the same is kept once.
 */
export class SharedAgents {
  readonly #versions = new Map<string, WeakRef<Agent>>();
  readonly #gone = new FinalizationRegistry<string>((key) => {
    if (!this.#versions.get(key)?.deref()) this.#versions.delete(key);
  });

  /** How many are kept for open sessions. */
  get size(): number {
    return this.#versions.size;
  }

  /** The same version, if an open session has it, otherwise this one. */
  share(agent: Agent): Agent {
    // A database that is restored counts its transactions again; it does not turn back the time.
    const key = `${agent.id} ${agent.writtenBy} ${agent.updatedAt.getTime()}`;
    const kept = this.#versions.get(key)?.deref();
    if (kept) return kept;
    this.#versions.set(key, new WeakRef(agent));
    this.#gone.register(agent, key);
    return agent;
  }
}
