import { randomUUID } from 'node:crypto';
import { claimRun } from '@parley/database';
import { advanceRun, type AdvanceOptions, type Advanced } from './advance-run.js';
import { lease, RunLost } from './lease.js';
import { runVersion } from './stored-run.js';

/**
 * Resumes a run that nobody holds. Undefined if somebody does, if there is nothing to do, if its
 * organization already has `maxOpen` in progress, or if only a newer process can read it.
 */
export async function resumeRun(
  options: AdvanceOptions,
  id: string,
  maxOpen: number,
): Promise<Advanced | undefined> {
  const leased = await options.database.asSystem((system) =>
    claimRun(system, id, {
      owner: randomUUID(),
      leaseMs: lease.ms,
      maxOpen,
      readsVersion: runVersion,
    }),
  );
  if (!leased) return undefined;
  options.metrics.resumed();
  try {
    return await advanceRun(options, leased);
  } catch (error) {
    if (error instanceof RunLost) return undefined;
    throw error;
  }
}
