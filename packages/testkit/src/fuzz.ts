/** After this time without an end, fast-check reports the input that hangs. */
const hangMs = 60_000;

/** Of fewer tries, none might come to an assertion. */
const fewest = 10;

/**
 * How often fast-check tries a property: few times in an ordinary run, FUZZ_SCALE times as often in
 * `npm run fuzz`. FUZZ_SEED repeats a run that failed: fast-check prints its seed.
 */
export function fuzz(runs: number): {
  readonly numRuns: number;
  readonly timeout: number;
  readonly seed?: number;
} {
  const { FUZZ_SCALE, FUZZ_SEED } = process.env;
  return {
    numRuns: Math.max(Math.min(fewest, runs), Math.ceil(runs * Number(FUZZ_SCALE ?? 1))),
    timeout: hangMs,
    ...(FUZZ_SEED !== undefined && { seed: Number(FUZZ_SEED) }),
  };
}
