import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import type OpenAI from 'openai';
import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions';
import { Client } from 'pg';
import { waitFor } from '@parley/testkit';
import { callsIn, openAiClient, overheard, refusal } from './support/openai-client.js';
import { QuestionStage } from './support/question-stage.js';

const showMap: ChatCompletionTool = {
  type: 'function',
  function: { name: 'show_map', parameters: { type: 'object', properties: { city: {} } } },
};

describe('a chat completion of OpenAI’s client', () => {
  let stage: QuestionStage;
  let client: OpenAI;
  let agentId: string;

  before(async () => {
    stage = await QuestionStage.open();
    await stage.worker();
    client = openAiClient(stage, stage.tenant.key);
    agentId = await stage.agent([stage.bell()]);
  });
  beforeEach(() => {
    stage.rings.length = 0;
  });
  after(() => stage.close());

  const ask = (content: string, more: object = {}, signal?: AbortSignal) =>
    client.chat.completions.create(
      {
        model: agentId,
        messages: [{ role: 'user', content }],
        ...more,
      },
      signal && { signal },
    );

  const conversations = async () =>
    (await stage.tenant.client.get('/api/v1/Conversation')).body as { total: number };

  it('is the agent’s answer, and leaves no conversation', async () => {
    const before = await conversations();
    const completion = await ask('!say Good morning.');
    expect(completion).to.include({ object: 'chat.completion', model: agentId });
    expect(completion.choices[0]).to.deep.include({ index: 0, finish_reason: 'stop' });
    expect(completion.choices[0]!.message).to.include({
      role: 'assistant',
      content: 'Good morning.',
    });
    expect(completion.usage!.total_tokens).to.be.greaterThan(0);
    expect((await conversations()).total).to.equal(before.total);
    const rows = await stage.api.database.asSystem(({ trx }) =>
      trx
        .selectFrom('conversations')
        .innerJoin('messages', 'messages.conversationId', 'conversations.id')
        .select(['conversations.keeping', 'messages.content'])
        .where('conversations.keeping', '<>', 'kept')
        .execute(),
    );
    expect(rows).not.to.deep.equal([]);
    for (const row of rows) expect(row).to.deep.equal({ keeping: 'forgotten', content: '' });
  });

  it('runs the agent’s own tools on the server', async () => {
    const completion = await ask('!call bell {"n":1}');
    expect(stage.rings).to.deep.equal(['{"n":1}']);
    expect(completion.choices[0]!.message.content).to.include('rung');
    expect(completion.choices[0]!.message.tool_calls).to.equal(undefined);
  });

  it('comes in pieces', async () => {
    const stream = await client.chat.completions.create({
      model: agentId,
      messages: [{ role: 'user', content: '!say One two three.' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    const reasons: unknown[] = [];
    let tokens = 0;
    for await (const chunk of stream) {
      expect(chunk).to.include({ object: 'chat.completion.chunk', model: agentId });
      text += chunk.choices[0]?.delta.content ?? '';
      if (chunk.choices[0]?.finish_reason) reasons.push(chunk.choices[0].finish_reason);
      tokens += chunk.usage?.total_tokens ?? 0;
    }
    expect(text).to.equal('One two three.');
    expect(reasons).to.deep.equal(['stop']);
    expect(tokens).to.be.greaterThan(0);
  });

  it('ends as OpenAI’s streams do', async () => {
    const response = await fetch(`${stage.api.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${stage.tenant.key}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        model: agentId,
        messages: [{ role: 'user', content: '!say Hi.' }],
        stream: true,
      }),
    });
    expect(response.headers.get('content-type')).to.match(/^text\/event-stream/);
    const text = await response.text();
    expect(text).to.match(/data: \[DONE\]\n\n$/);
    expect(text).not.to.include('"usage"');
  });

  it('takes system messages as additional instructions, and the rest as history', async () => {
    const messages: ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
      { role: 'assistant', content: 'Hello!' },
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: '!say Yes.' },
    ];
    const completion = await client.chat.completions.create({ model: agentId, messages });
    expect(completion.choices[0]!.message.content).to.equal('Yes.');
  });

  it('goes on with a conversation that is named', async () => {
    const first = await stage.answer(agentId, '!say First.');
    const { conversationId } = first;
    const completion = await ask('!say Second.', { metadata: { conversationId } });
    expect(completion.choices[0]!.message.content).to.equal('Second.');
    const said = (await stage.messages(conversationId)).map(({ content }) => content);
    expect(said).to.deep.equal(['!say First.', 'First.', '!say Second.', 'Second.']);
  });

  it('ignores what OpenAI knows and this service does not', async () => {
    const more = {
      temperature: 0.5,
      user: 'u',
      seed: 1,
      response_format: { type: 'text' },
      x: 1,
    };
    const completion = await ask('!say Fine.', more);
    expect(completion.choices[0]!.message.content).to.equal('Fine.');
  });

  describe('the caller’s own tools', () => {
    it('come back as tool calls, and their results are told to the model', async () => {
      const messages: ChatCompletionMessageParam[] = [
        { role: 'user', content: '!call show_map {"city":"Oslo"}' },
      ];
      const first = await client.chat.completions.create({
        model: agentId,
        messages,
        tools: [showMap],
      });
      expect(first.choices[0]!.finish_reason).to.equal('tool_calls');
      const { message } = first.choices[0]!;
      expect(message.content).to.equal(null);
      expect(message.tool_calls).to.have.length(1);
      const [call] = message.tool_calls!;
      expect(call).to.deep.include({ type: 'function' });
      expect(callsIn(first)).to.deep.equal([{ name: 'show_map', input: { city: 'Oslo' } }]);
      messages.push(message, { role: 'tool', tool_call_id: call!.id, content: 'shown' });
      const second = await client.chat.completions.create({
        model: agentId,
        messages,
        tools: [showMap],
      });
      expect(second.choices[0]!.message.content).to.include('shown');
      expect(second.choices[0]!.finish_reason).to.equal('stop');
    });

    it('come in pieces, too', async () => {
      const stream = client.chat.completions.stream({
        model: agentId,
        messages: [{ role: 'user', content: '!call show_map {}\n!call show_map {"city":"Rome"}' }],
        tools: [showMap],
      });
      const completion = await stream.finalChatCompletion();
      expect(completion.choices[0]!.finish_reason).to.equal('tool_calls');
      expect(callsIn(completion).map(({ input }) => input)).to.deep.equal([{}, { city: 'Rome' }]);
    });

    it('are left to the caller once the agent’s own have run, and the model is told of those', async () => {
      const messages: ChatCompletionMessageParam[] = [
        { role: 'user', content: '!call bell {"n":2}\n!call show_map {}' },
      ];
      const { connectionId, heard } = await overheard(stage);
      const model = await stage.agent([stage.bell()], { connectionId, systemMessage: 'Be kind.' });
      const tools = [showMap];
      const first = await client.chat.completions.create({ model, messages, tools });
      expect(callsIn(first)).to.deep.equal([{ name: 'show_map', input: {} }]);
      expect(stage.rings).to.deep.equal(['{"n":2}']);
      const { message } = first.choices[0]!;
      const callId = message.tool_calls![0]!.id;
      messages.unshift({ role: 'system', content: 'Be brief.' });
      messages.push(message, { role: 'tool', tool_call_id: callId, content: 'shown' });
      await client.chat.completions.create({ model, messages, tools });
      const told = heard
        .at(-1)!
        .map(({ role, content, tool_calls: calls }) => [
          role,
          calls ? calls.map((call) => call.function.name).join() : content,
        ]);
      expect(told).to.deep.equal([
        ['system', 'Be kind.\n\nBe brief.'],
        ['user', '!call bell {"n":2}\n!call show_map {}'],
        ['assistant', 'bell'],
        ['tool', 'rung'],
        ['assistant', 'show_map'],
        ['tool', 'shown'],
      ]);
      expect(stage.rings).to.deep.equal(['{"n":2}']);
    });

    it('cannot take the name of a tool of the agent', async () => {
      const bell = { type: 'function', function: { name: 'bell' } } as const;
      const error = await refusal(ask('Hi.', { tools: [bell] }));
      expect(error).to.include({ status: 400, param: 'tools[0].function.name' });
    });
  });

  describe('a caller who leaves', () => {
    const runs = (states: ('open' | 'failed')[]) =>
      stage.api.database.asSystem(({ trx }) =>
        trx.selectFrom('runs').select('id').where('state', 'in', states).execute(),
      );

    for (const stream of [false, true])
      it(`cancels a question that nobody could come back to, streamed: ${stream}`, async () => {
        const before = (await runs(['failed'])).length;
        const left = new AbortController();
        const messages = [{ role: 'user' as const, content: '!hang' }];
        const options = { signal: left.signal };
        const asked = client.chat.completions.create({ model: agentId, messages, stream }, options);
        const read = asked.then(async (answer) => {
          if (Symbol.asyncIterator in answer) await answer[Symbol.asyncIterator]().next();
        });
        const ended = read.then(
          () => 'ended',
          () => 'broken off',
        );
        await waitFor(async () => (await runs(['open'])).length > 0, { what: 'the question' });
        left.abort();
        await ended;
        await waitFor(async () => (await runs(['failed'])).length > before, { what: 'its end' });
        expect(await runs(['open'])).to.deep.equal([]);
      });

    it('cancels it although it is stored only afterwards', async () => {
      const before = (await runs(['failed'])).length;
      const table = new EventEmitter();
      const locked = stage.api.database.asSystem(async ({ trx }) => {
        await sql`lock table runs in exclusive mode`.execute(trx);
        table.emit('locked');
        await once(table, 'free');
      });
      await once(table, 'locked');
      const left = new AbortController();
      const broken = ask('!hang', {}, left.signal).catch(() => 'broken off');
      const isBlocked = () =>
        stage.api.database.asSystem(async ({ trx }) => {
          const { rows } = await sql`select from pg_locks
            where relation = 'runs'::regclass and not granted`.execute(trx);
          return rows.length > 0;
        });
      await waitFor(isBlocked, { what: 'the question' });
      left.abort();
      expect(await broken).to.equal('broken off');
      // The server has seen by then that the caller is gone.
      await conversations();
      table.emit('free');
      await locked;
      await waitFor(async () => (await runs(['failed'])).length > before, { what: 'its end' });
    });
  });

  describe('a database that fails after a tool ran', () => {
    const admin = (text: string) => asOwner(stage.api.databaseUrl, text);
    after(() => admin('drop function if exists refuse_checkpoint cascade'));

    it('ends the question, and the client does not ask again', async () => {
      const runs: string[] = [];
      const server = createServer((request, response) => {
        runs.push(request.url!);
        void admin(`
          create function refuse_checkpoint() returns trigger language plpgsql as
            $$ begin raise 'As if another transaction had won.' using errcode = '40P01'; end $$;
          create trigger refuse_checkpoint before update on runs for each row
            when (new.state <> 'failed') execute function refuse_checkpoint()`).then(() =>
          response.end('done'),
        );
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      stage.onClose(() => server.close());
      const { port } = server.address() as AddressInfo;
      const model = await stage.agent([stage.bell({ url: `http://127.0.0.1:${port}` })]);
      const { chat } = openAiClient(stage, stage.tenant.key, { maxRetries: 2 });
      const messages = [{ role: 'user' as const, content: '!call bell {"n":5}' }];
      const error = await refusal(chat.completions.create({ model, messages }));
      expect(error.status).to.equal(503);
      expect(runs).to.have.length(1);
      const open = await stage.api.database.asSystem(({ trx }) =>
        trx.selectFrom('runs').select('id').where('state', '=', 'open').execute(),
      );
      expect(open).to.deep.equal([]);
    });
  });

  describe('a tool that needs approval', () => {
    it('is waited for while somebody decides', async () => {
      const careful = await stage.agent([stage.bell({ approvalRequired: true })]);
      const asked = ask('!call bell {"n":3}', { model: careful });
      const id = await waitFor(
        async () => {
          const { body } = await stage.tenant.client.get('/api/v1/Approval?State=waiting');
          return (body as { items: { id: string; agentId: string }[] }).items.find(
            (item) => item.agentId === careful,
          )?.id;
        },
        { what: 'the approval' },
      );
      expect((await stage.decide(id, 'approve')).status).to.equal(200);
      const completion = await asked;
      expect(completion.choices[0]!.message.content).to.include('rung');
      expect(stage.rings).to.deep.equal(['{"n":3}']);
    });

    it('ends the question when nobody does, and does not run afterwards', async () => {
      const hasty = await QuestionStage.open({ questionTimeoutSeconds: 4 });
      try {
        const model = await hasty.agent([hasty.bell({ approvalRequired: true })]);
        const messages = [{ role: 'user' as const, content: '!call bell {"n":4}' }];
        const { chat } = openAiClient(hasty, hasty.tenant.key);
        const error = await refusal(chat.completions.create({ model, messages }));
        expect(error).to.include({ status: 409, code: 'approval_pending' });
        expect(error.headers!.get('x-should-retry')).to.equal('false');
        const { body } = await hasty.tenant.client.get('/api/v1/Approval?State=waiting');
        expect(body).to.include({ total: 0 });
        expect(hasty.rings).to.deep.equal([]);
      } finally {
        await hasty.close();
      }
    });
  });
});

async function asOwner(connectionString: string, text: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(text);
  await client.end();
}
