import type { Job } from 'bullmq';
import { resumeRun, type AdvanceOptions } from '@parley/agent-runtime';
import { organizationOfRun, Turns } from '@parley/database';
import type { Logger } from '@parley/service-kit';
import type { ResumeRun } from '@parley/session-store';

export type ResumeOptions = AdvanceOptions & {
  /** How many questions this process works on at a time. */
  readonly places: number;
  /** How many of one organization may be in progress on all processes. */
  readonly maxOpen: number;
  readonly logger: Logger;
};

/**
 * Resumes one question. A duplicate or early job finds nothing to do. The sweep finds a job that
 * failed, or whose organization already uses three quarters of the places here.
 */
export function resumeRunProcessor(options: ResumeOptions) {
  const { places, maxOpen, logger, database } = options;
  const workingEach = Math.ceil(places * 0.75);
  const turns = new Turns({ working: places, workingEach, waitingEach: 0 });
  return async ({ data: { runId } }: Pick<Job<ResumeRun, void>, 'data'>): Promise<void> => {
    try {
      const organizationId = await database.asSystem((system) => organizationOfRun(system, runId));
      if (organizationId === undefined) return;
      const turn = await turns.run(organizationId, () => resumeRun(options, runId, maxOpen));
      logger.debug({ run: runId, state: turn?.done?.state ?? 'not ours' }, 'question resumed');
    } catch (err) {
      logger.error({ err, run: runId }, 'question interrupted; the sweep will retry');
      throw err;
    }
  };
}
