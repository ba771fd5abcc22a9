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
  /** The same for worlds in which nothing happens any more, unless by chance. */
  readonly problemAtRest?: (world: World) => string | undefined;
};

export type Step<World> = {
  readonly name: string;
  readonly world: World;
  /** It may never happen, like a crash. All other steps happen sooner or later. */
  readonly byChance?: boolean;
};

export type Exploration<World> = {
  readonly worlds: readonly World[];
  readonly violation?: { readonly problem: string; readonly trace: readonly string[] };
};

export function explore<World>(model: Model<World>): Exploration<World> {
  const { initial, steps, problemOf, problemAtRest } = model;
  const worlds: World[] = [initial];
  const cameFrom = new Map<string, { name: string; from: string } | null>([[keyOf(initial), null]]);
  // The keys of a map come in the order in which they were added.
  const keys = cameFrom.keys();
  for (const world of worlds) {
    const key = keys.next().value!;
    let problem = problemOf(world);
    let isAtRest = true;
    for (const { name, world: next, byChance = false } of steps(world)) {
      const nextKey = keyOf(next);
      if (!byChance && nextKey !== key) isAtRest = false;
      if (cameFrom.has(nextKey)) continue;
      cameFrom.set(nextKey, { name, from: key });
      worlds.push(next);
    }
    if (isAtRest) problem ??= problemAtRest?.(world);
    if (problem !== undefined) return { worlds, violation: { problem, trace: traceTo(key) } };
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
  const copy = copyOf(world);
  change(copy);
  return { name, world: copy };
}

/** Steps that may never happen. */
export function byChance<World>(...steps: readonly Step<World>[]): Step<World>[] {
  return steps.map((step) => ({ ...step, byChance: true }));
}

/** Of plain data; many times faster than `structuredClone`. */
function copyOf<Data>(data: Data): Data {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map(copyOf) as Data;
  const copy: Record<string, unknown> = {};
  for (const key in data) copy[key] = copyOf(data[key]);
  return copy as Data;
}
