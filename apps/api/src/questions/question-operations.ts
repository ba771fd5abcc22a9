import pTimeout from 'p-timeout';
import { hasAgent, isDatabaseUnavailable, type Database, type LeasedRun } from '@parley/database';
import type { QuotaGuard } from '@parley/issuing';
import type { QuestionAnswer, QuestionInput } from '@parley/protocol';
import type { Accepted, Handlers } from '../http/call.js';
import { EventStream } from '../http/event-stream.js';
import { listenerFor, streamAnswer } from './answer-events.js';
import { beginQuestion, type Asked, type BegunQuestion } from './begin-question.js';
import type { QuestionDesk, RunPlace } from './question-desk.js';

export type QuestionPorts = { database: Database; questions: QuestionDesk; quotas: QuotaGuard };

export function questionOperations({
  database,
  questions: desk,
  quotas,
}: QuestionPorts): Pick<Handlers, 'askQuestion'> {
  const { settings, podId: watcher } = desk;
  return {
    askQuestion: {
      visible: ({ caller, params }) =>
        database.inOrganization(caller.organizationId, (scope) => hasAgent(scope, params.agentId)),
      async run({ caller: { openedBy }, params: { agentId }, body, events, commit }) {
        let begun!: BegunQuestion;
        await commit(async (scope) => {
          const place = { agentId, openedBy, watcher, settings, quotas };
          begun = await beginQuestion(scope, askedIn(body), place);
          return accepted(inProgress(begun.leased));
        });
        return events ? stream(desk, begun) : wait(desk, begun);
      },
      /** A repeated request waits for the answer to the first one, or gets its current state. */
      async recall({ caller: { organizationId }, params: { agentId }, events }, kept) {
        if (!('resource' in kept)) return kept;
        const run = { id: kept.resource.messageId, organizationId, agentId };
        if (!events) return accepted(await desk.read(run));
        const again = new EventStream();
        return streamAnswer(desk, { run, begun: Promise.resolve(), stream: again });
      },
    },
  };
}

function askedIn({ question, conversationId = null, fileIds = [] }: QuestionInput): Asked {
  const messages = [{ role: 'user' as const, content: question }];
  return { messages, said: question, conversationId, keep: true, fileIds };
}

function stream(desk: QuestionDesk, { leased, messageCreated }: BegunQuestion) {
  const events = new EventStream();
  if (messageCreated !== undefined) events.send(messageCreated);
  const begun = desk.start(leased, listenerFor(events, leased.agentId));
  return streamAnswer(desk, { run: leased, begun, stream: events });
}

/**
 * The answer, if it arrives in time; otherwise the state of the question, which continues: in a
 * worker, if it was interrupted here. While the state cannot be read, it is in progress, so that
 * nobody asks again.
 */
async function wait(desk: QuestionDesk, { leased }: BegunQuestion) {
  const startedAt = performance.now();
  const seconds = desk.settings.QUESTION_TIMEOUT_SECONDS;
  const work = desk.start(leased, { onEvent: () => undefined, onText: () => undefined });
  try {
    const settled = work.catch(() => undefined);
    await pTimeout(settled, { milliseconds: seconds * 1000, message: false });
    return accepted(await desk.read(leased));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return accepted(inProgress(leased));
  } finally {
    desk.metrics.waited((performance.now() - startedAt) / 1000);
  }
}

function accepted(resource: QuestionAnswer): Accepted<QuestionAnswer> {
  return { accepted: resource.status !== 'completed', resource };
}

function inProgress({ id, conversationId }: RunPlace & Pick<LeasedRun, 'conversationId'>) {
  const known = { conversationId, messageId: id, answer: '', approvals: [] };
  return { ...known, status: 'inProgress' as const };
}
