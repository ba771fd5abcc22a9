import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { finishToolCall } from '#src/calls/tool-calls.js';
import { insertMessages, type NewMessage } from '#src/conversations/messages.js';
import { pastOf, pastOfSession } from '#src/conversations/past.js';
import { calledTools, type CalledTools } from './support/called-tools.js';

describe('the past of a session', () => {
  let world: CalledTools;
  let sessionId: string;
  const budget = { messages: 100, characters: 10_000 };

  before(async () => {
    world = await calledTools();
    sessionId = await world.newSession();
    const elsewhere = await world.newSession();
    await say(1, { sessionId: elsewhere, itemId: 'other', content: 'Earlier.' });
    await say(10, { itemId: 'u1', content: 'How much is it?' });
    const call = { sessionId, callId: 'c1', itemId: 'fc1', position: 20 };
    const { id } = await world.record(call);
    const end = { status: 'succeeded', result: { price: 5 }, text: '', executionMs: 1 } as const;
    await world.work((scope) => finishToolCall(scope, id, end));
    await world.record({ sessionId, callId: 'c2', itemId: 'fc2', position: 21 });
    const answer = { role: 'assistant', itemId: 'a1', interrupted: true, audioEndMs: 600 } as const;
    await say(30, { ...answer, content: 'It costs five euros.' });
    await say(40, { itemId: 'u2', contentIndex: 1, content: 'Two.' });
    await say(40, { itemId: 'u2', content: 'One.' });
    await say(50, { itemId: 'u3', content: '', status: 'failed' });
    await say(51, { role: 'assistant', itemId: 'a2', content: '', status: 'failed' });
    await say(60, { itemId: null, content: 'No id.' });
  });
  after(() => world.drop());

  const say = (position: number, fields: Partial<NewMessage>) =>
    world.work((scope) =>
      insertMessages(scope, [
        {
          ...{ id: randomUUID(), conversationId: world.conversationId, sessionId, position },
          ...{ role: 'user', content: '', status: 'completed', itemId: null, contentIndex: 0 },
          ...{ interrupted: false, audioEndMs: null, usage: null, createdAt: new Date() },
          ...fields,
        },
      ]),
    );
  const past = (limits = budget) =>
    world.work((scope) => {
      const { conversationId } = world;
      return pastOfSession(scope, { conversationId, sessionId }, limits);
    });
  const said = (itemId: string, position: number, content: string) =>
    ({ kind: 'message', itemId, position, role: 'user', content }) as const;

  it('is what was heard and done in it, under the ids that the client knows', async () => {
    expect(await past()).to.deep.equal([
      said('u1', 10, 'How much is it?'),
      {
        ...{ kind: 'call', itemId: 'fc1', callId: 'c1', name: 'pay' },
        ...{ arguments: '{"amount":5}', output: '{"price":5}' },
      },
      { ...said('a1', 30, 'It costs …'), role: 'assistant' },
      said('u2', 40, 'One.\nTwo.'),
      said('u3', 50, '[inaudible]'),
      { kind: 'message', position: 60, role: 'user', content: 'No id.' },
    ]);
  });

  it('is the newest part of it, within a budget', async () => {
    const [first, second] = await past({ messages: 3, characters: 10_000 });
    expect(first).to.deep.equal(said('u3', 50, '[inaudible]'));
    expect(second).to.include({ content: 'No id.' });
  });

  it('has other ids in another session of the conversation', async () => {
    const { history } = await world.work((scope) => pastOf(scope, world.conversationId, budget));
    expect(history[0]).to.deep.equal({ kind: 'message', role: 'user', content: 'Earlier.' });
    expect(history.filter((item) => 'itemId' in item)).to.deep.equal([]);
  });
});
