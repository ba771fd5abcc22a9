/**
 * A small model checker. A world is plain data; `steps` lists everything that may happen next, each
 * with the world after it. Every interleaving is visited, breadth first, so that a violation comes
 * with the shortest way to it.
 */
export type Model<World> = {
  readonly initial: World;
  readonly steps: (world: World) => readonly Step<World>[];
  /** What must never hold, in words; undefined if all is well. */
  readonly problemOf: (world: World) => string | undefined;
};

export type Step<World> = { readonly name: string; readonly world: World };

export type Exploration<World> = {
  readonly worlds: readonly World[];
  readonly violation?: { readonly problem: string; readonly trace: readonly string[] };
};

export function explore<World>({ initial, steps, problemOf }: Model<World>): Exploration<World> {
  const worlds: World[] = [initial];
  const cameFrom = new Map<string, { name: string; from: string } | null>([[keyOf(initial), null]]);
  for (const world of worlds) {
    const key = keyOf(world);
    const problem = problemOf(world);
    if (problem !== undefined) return { worlds, violation: { problem, trace: traceTo(key) } };
    for (const { name, world: next } of steps(world)) {
      const nextKey = keyOf(next);
      if (cameFrom.has(nextKey)) continue;
      cameFrom.set(nextKey, { name, from: key });
      worlds.push(next);
    }
  }
  return { worlds };

  function traceTo(key: string): string[] {
    const step = cameFrom.get(key);
    return step ? [...traceTo(step.from), step.name] : [];
  }
}

function keyOf(world: unknown): string {
  return JSON.stringify(world);
}

/** The world after a change to a copy of it. */
export function after<World>(
  world: World,
  name: string,
  change: (copy: World) => void,
): Step<World> {
  const copy = structuredClone(world);
  change(copy);
  return { name, world: copy };
}
