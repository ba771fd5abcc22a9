/** A fault that begins now, and that its result stops. */
export async function between(begin, stop, more = {}) {
  await begin();
  return { stop, ...more };
}
