/** Reports something to the operator, without the content of the call. */
export type Report = (event: string, details: Readonly<Record<string, unknown>>) => void;

/** Whether it succeeded. A failure is reported under the name of the event. */
export async function attempt(
  report: Report,
  { event, call }: { event: string; call: string },
  work: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (err) {
    report(event, { err, call });
    return false;
  }
}
