import type { Job } from 'bullmq';
import { resumeRun, type AdvanceOptions } from '@parley/agent-runtime';
import type { Logger } from '@parley/service-kit';
import type { ResumeRun } from '@parley/session-store';

/** Goes on with one question. A job that comes twice, or too early, finds nothing to do; one that fails is found by the sweep. */
export function resumeRunProcessor(options: AdvanceOptions, logger: Logger) {
  return async ({ data: { runId } }: Job<ResumeRun, void>): Promise<void> => {
    try {
      const advanced = await resumeRun(options, runId);
      logger.debug({ run: runId, state: advanced?.state ?? 'not ours' }, 'question resumed');
    } catch (err) {
      logger.error({ err, run: runId }, 'question broken off; the sweep repeats it');
      throw err;
    }
  };
}
