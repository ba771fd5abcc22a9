import {
  createAgentRuntime,
  openQuestionJournal,
  questionMetrics,
  toolMetrics,
  type AgentRuntime,
  type AgentRuntimeOptions,
  type RuntimeSettings,
} from '@parley/agent-runtime';
import type { DrainBudget, Logger, Metrics } from '@parley/service-kit';
import type { JobProducer, Publisher, RedisOptions } from '@parley/session-store';
import { createQuestionDesk, type QuestionDesk, type QuestionSettings } from './question-desk.js';
import { openRunHints } from './run-hints.js';

export type QuestionsOptions = Omit<
  AgentRuntimeOptions,
  'journal' | 'metrics' | 'report' | 'settings'
> & {
  readonly producer: JobProducer;
  readonly redis: Publisher;
  readonly redisOptions: RedisOptions;
  readonly registry: Metrics['registry'];
  readonly logger: Logger;
  readonly budget: Pick<DrainBudget, 'journalMs'>;
  readonly settings: RuntimeSettings & QuestionSettings;
};

export type Questions = QuestionDesk & { readonly runtime: AgentRuntime; close(): Promise<void> };

/**
 * Everything that answering questions in this process takes. Rejects when Redis cannot be reached.
 */
export async function openQuestions(options: QuestionsOptions): Promise<Questions> {
  const { registry, logger, redisOptions } = options;
  const report = (event: string, details: Readonly<Record<string, unknown>>) =>
    logger.warn({ ...details, event }, 'question');
  const hints = await openRunHints(redisOptions);
  const journal = openQuestionJournal(options.database, report, options.budget.journalMs);
  const answering = { ...options, journal, report };
  const runtime = createAgentRuntime({ ...answering, metrics: toolMetrics(registry) });
  const metrics = questionMetrics(registry);
  const desk = createQuestionDesk({ ...answering, runtime, metrics, hints });
  return {
    ...desk,
    runtime,
    async close() {
      hints.close();
      await journal.close();
    },
  };
}
