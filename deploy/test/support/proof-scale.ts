const scale = Number(process.env['PROOF_SCALE'] ?? 0.1);

/** The promises are proven with their whole numbers. */
export const isWhole = scale >= 1;

/** A number of the proofs: whole with PROOF_SCALE=1, which `npm run proofs` sets, else a tenth of it. */
export function scaled(whole: number): number {
  return Math.ceil(whole * scale);
}

/** Does a piece of work so often, so many at a time; in the order of its numbers. */
export async function inParallel<T>(
  { count, width }: { count: number; width: number },
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < count; n = next++) results[n] = await work(n);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
  return results;
}

/** What a proof measured, for whoever reads the run. */
export function measured(what: string): void {
  console.log(`      measured: ${what}`);
}
