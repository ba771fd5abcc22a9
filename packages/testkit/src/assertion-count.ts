import { Assertion } from 'chai';

type Check = (this: unknown, ...args: unknown[]) => unknown;

let made = 0;

/** From now on, counts every chai assertion. */
export function countAssertions(): void {
  const prototype = Assertion.prototype as unknown as { assert: Check };
  const { assert } = prototype;
  prototype.assert = function (...args) {
    made += 1;
    return assert.apply(this, args);
  };
}

/** The number of assertions since the last call. */
export function takeAssertionCount(): number {
  const count = made;
  made = 0;
  return count;
}
