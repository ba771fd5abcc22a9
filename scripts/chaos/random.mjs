// Choices that a seed decides: the same seed makes every client do the same things in the same order,
// whatever the others do.
import { createHash } from 'node:crypto';

/** A stream of numbers in [0, 1) for one name, such as a client's. */
export function randomOf(seed, name) {
  let state = createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low)),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** One of the names, as often as its weight says. */
    weighed(weights) {
      let left = next() * Object.values(weights).reduce((sum, each) => sum + each, 0);
      for (const [name, weight] of Object.entries(weights)) if ((left -= weight) < 0) return name;
      return Object.keys(weights).at(-1);
    },
    uuid() {
      const hex = () =>
        Math.floor(next() * 2 ** 32)
          .toString(16)
          .padStart(8, '0');
      const [a, b, c, d] = [hex(), hex(), hex(), hex()];
      return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-8${c.slice(1, 4)}-${c.slice(4)}${d}`;
    },
  };
}
