import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { openAiClient } from './support/openai-client.js';
import { QuestionStage, type ToldEvent } from './support/question-stage.js';

/** Who depends on a signal: its listeners, and what Node keeps of `AbortSignal.any`. */
function dependants(signal: AbortSignal): number {
  const kept = Object.getOwnPropertySymbols(signal).find(
    ({ description }) => description === 'kDependantSignals',
  );
  const composed = kept && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[kept];
  return getEventListeners(signal, 'abort').length + (composed?.size ?? 0);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('callers that wait for an answer', () => {
  let stage: QuestionStage;
  let agentId: string;
  const waiting = () => dependants(stage.api.questions.leaving);
  const nobody = () => waitFor(() => waiting() === 0, { what: 'everything to be let go' });
  before(async () => {
    stage = await QuestionStage.open();
    agentId = await stage.agent([stage.bell({ approvalRequired: true })]);
  });
  after(() => stage.close());

  it('leave nothing at the signal of the shutdown once they have it', async () => {
    const { events } = await stage.stream(agentId, 'Hello');
    expect(await all(events)).not.to.deep.equal([]);
    const { completions } = openAiClient(stage, stage.tenant.key).chat;
    const asked = { model: agentId, messages: [{ role: 'user' as const, content: 'Hello' }] };
    await completions.create(asked);
    const chunks = await all(await completions.create({ ...asked, stream: true }));
    expect(chunks).not.to.deep.equal([]);
    await nobody();
    expect(waiting()).to.equal(0);
  });

  it('are released when the process shuts down, however many', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const streams = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { events } = await stage.stream(agentId, '!call bell {}');
        let told: ToldEvent | undefined;
        do told = ((await events.next()) as { value?: ToldEvent }).value;
        while (told && told.type !== 'question.waiting');
        return events;
      }),
    );
    expect(waiting()).to.equal(12);
    stage.api.questions.leave();
    for (const events of streams) expect((await events.next()).done).to.equal(true);
    expect(waiting()).to.equal(0);
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });
});
