import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { QuestionAnswer } from '@parley/protocol';
import { streamAnswer } from '#src/questions/answer-events.js';
import { EventStream } from '#src/http/event-stream.js';
import type { QuestionDesk } from '#src/questions/question-desk.js';

const run = { id: 'r', organizationId: 'o', agentId: 'a' };

const streamed = (deadline: string) => {
  const leaving = new AbortController();
  const answer = { status: 'waitingForApproval', approvals: [{ deadline }] };
  const desk = {
    leaving: leaving.signal,
    read: () => Promise.resolve(answer as QuestionAnswer),
    news: () => {
      leaving.abort();
      return Promise.resolve();
    },
  } as unknown as QuestionDesk;
  const stream = new EventStream();
  streamAnswer(desk, { run, begun: Promise.resolve(), stream });
  return text(stream);
};

describe('the stream of a question that waits', () => {
  it('ends with an error if nobody continues the question long after its last deadline', async () => {
    const events = await streamed('2026-01-01T00:00:00Z');
    expect(events).to.match(/event: question\.waiting\n[^]+event: error\n.*service-unavailable/);
  });

  it('ends without one when the instance shuts down', async () => {
    const events = await streamed('9999-01-01T00:00:00Z');
    expect(events).to.include(': closing').and.not.include('event: error');
  });
});
