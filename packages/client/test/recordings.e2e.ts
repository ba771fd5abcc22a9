import { expect } from 'chai';
import {
  needs,
  recordings,
  startReplayProvider,
  waitFor,
  type RecordedEvent,
} from '@parley/testkit';
import { RealtimeSession, type ClientTool, type CreatedSession } from '@parley/client';
import { Customer } from './support/customer.js';

const recorded = (await recordings()) ?? new Map<string, RecordedEvent[]>();

describe('recorded provider traffic', () => {
  needs('recordings');
  let customer: Customer;
  before(async () => {
    customer = await Customer.open({ TOOL_EGRESS_ALLOW: '127.0.0.1' });
  });
  after(() => customer.close());

  for (const [name, recording] of recorded)
    it(`has the same transcript here and in the service’s record: ${name}`, async () => {
      const provider = await startReplayProvider(recording);
      const agentId = await agentOn(customer, provider.url);
      const session = await RealtimeSession.connect({
        baseUrl: customer.parley.credentials.baseUrl,
        tools: toolsIn(recording),
        create: (request) =>
          customer.call(
            'POST',
            `/Agent/${agentId}/realtime-session`,
            request,
          ) as Promise<CreatedSession>,
      });
      await speak(session, recording);
      await provider.played;
      const expected = messagesIn(recording);
      await waitFor(() => session.messages.filter(({ final }) => final).length >= expected, {
        what: 'the transcript',
      });
      const here = session.messages.map(({ role, text }) => `${role}: ${text}`);
      const { conversationId = '' } = session;
      const there = await waitFor(
        async () => {
          const lines = await recordOf(customer, conversationId);
          return lines.length >= expected && lines;
        },
        { what: 'the record' },
      );
      session.close();
      await provider.stop();
      expect(here).to.deep.equal(there);
      expect(here).to.have.length(expected);
    });
});

/** Says what the recorded client said, each after everything that it had heard by then; answers of tools are the session's own. */
async function speak(session: RealtimeSession, recording: readonly RecordedEvent[]): Promise<void> {
  let came = 2;
  session.on('*', ({ data }) => {
    came += data === undefined ? 1 : 0;
  });
  let heard = 0;
  let isAnswer = false;
  for (const { from, event } of recording) {
    if (from === 'provider') heard += 1;
    else if (event.type !== 'session.update') {
      const before = heard;
      await waitFor(() => came >= before, { what: `${before} events` });
      const isOutput =
        (event['item'] as { type?: unknown } | undefined)?.type === 'function_call_output';
      if (!isOutput && !isAnswer) session.send(event);
      isAnswer = isOutput;
    }
  }
}

function toolsIn(recording: readonly RecordedEvent[]): Record<string, ClientTool> {
  const events = recording.map(({ event }) => event);
  const update = events.find(({ type }) => type === 'session.update');
  const { tools = [] } = (update?.['session'] ?? {}) as { tools?: { name: string }[] };
  const items = events.map(({ item }) => (item ?? {}) as { type?: string; output?: string });
  const output = items.find(({ type }) => type === 'function_call_output')?.output ?? '';
  return Object.fromEntries(
    tools.map(({ name }) => [name, { description: name, execute: () => output }]),
  );
}

function messagesIn(recording: readonly RecordedEvent[]): number {
  const added = recording.filter(
    ({ from, event }) => from === 'provider' && event.type === 'conversation.item.added',
  );
  return added.filter(({ event }) => (event['item'] as { type: string }).type === 'message').length;
}

async function agentOn(customer: Customer, baseUrl: string): Promise<string> {
  const connection = { name: 'Recording', kind: 'openai-compatible', baseUrl, secret: 'any' };
  const { id: connectionId } = (await customer.call('POST', '/Connection', connection)) as {
    id: string;
  };
  const agent = await customer.call('POST', '/Agent', { name: 'Recorded', connectionId });
  return (agent as { id: string }).id;
}

async function recordOf(customer: Customer, conversationId: string): Promise<string[]> {
  const page = await customer.call('GET', `/Conversation/${conversationId}/message?Limit=100`);
  const { items } = page as { items: { role: string; content: string }[] };
  return items.map(({ role, content }) => `${role}: ${content}`);
}
