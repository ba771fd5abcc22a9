import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createEgress, type Egress } from '@parley/egress';
import { textClient } from '#src/text-client.js';
import type { TextAnswer } from '#src/text-model.js';

const mebibyte = 1024 * 1024;
const piece = Buffer.alloc(65_536, 'x');

/** Sends for as long as somebody reads, and tells how much that was. */
async function sendForEver(response: ServerResponse, bytes: Buffer): Promise<number> {
  let sent = 0;
  const gone = new AbortController();
  response.on('error', () => undefined).once('close', () => gone.abort());
  while (!gone.signal.aborted) {
    sent += bytes.length;
    if (!response.write(bytes))
      await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
  }
  return sent;
}

describe('the text client', () => {
  let egress: Egress;
  let server: Server;
  let answer: (response: ServerResponse) => unknown;
  before(async () => {
    egress = createEgress(['127.0.0.1']);
    server = createServer((request, response) => {
      request.resume();
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await egress.close();
  });

  const ask = async (
    answering: (response: ServerResponse) => unknown,
    signal = new AbortController().signal,
  ): Promise<TextAnswer> => {
    answer = answering;
    const { port } = server.address() as AddressInfo;
    const connection = { kind: 'openai-compatible', secret: null } as const;
    const client = textClient({ ...connection, baseUrl: `http://127.0.0.1:${port}/v1` }, egress);
    const request = { model: 'm', messages: [], tools: [] };
    return client!.complete(request, signal, () => undefined);
  };
  const events = (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const chunk = (delta: object) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;

  it('gathers the words of an answer, in whatever pieces they come', async () => {
    const text = `${chunk({ content: 'Grüße' })}${chunk({ content: ', 你好' })}data: [DONE]\n\n`;
    const reply = await ask(async (response) => {
      events(response);
      for (const byte of Buffer.from(text))
        await new Promise((resolve) => response.write(Buffer.of(byte), resolve));
      response.end();
    });
    expect(reply).to.deep.include({ ok: true, text: 'Grüße, 你好' });
  });

  it('tells only what can be stored, and joins characters that come in halves', async () => {
    const call = { index: 0, id: 'c\0', function: { name: 'a\uD83D', arguments: '{"x":"\uD83D' } };
    const rest = { index: 0, function: { arguments: '\uDE00\0"}' } };
    const chunks = [
      chunk({ content: 'A\0 \uD83D' }),
      chunk({ content: '\uDE00 \uDE00' }),
      chunk({ tool_calls: [call] }),
      chunk({ tool_calls: [rest] }),
    ];
    const reply = await ask((response) =>
      events(response).end(`${chunks.join('')}data: [DONE]\n\n`),
    );
    expect(reply).to.deep.include({
      text: 'A 😀 \uFFFD',
      toolCalls: [{ callId: 'c', name: 'a\uFFFD', arguments: '{"x":"😀"}' }],
    });
  });

  it('keeps tool calls apart, also those of servers that leave out the index', async () => {
    const call = (name: string, text: string, rest: object = {}) => ({
      ...rest,
      function: { name, arguments: text },
    });
    const part = (text: string) => ({ function: { arguments: text } });
    const streams = [
      [
        [call('a', '{', { index: 0, id: '1' }), call('b', '{', { index: 1, id: '2' })],
        [
          { index: 1, ...part('"y":2}') },
          { index: 0, ...part('"x":1}') },
        ],
      ],
      [[call('a', '{"x":1}', { id: '1' }), call('b', '{"y":2}', { id: '2' })]],
      [
        [call('a', '{', { id: '1' })],
        [part('"x":1}')],
        [call('b', '{', { id: '2' })],
        [{ id: '2', ...part('"y":2}') }],
      ],
      [[call('a', '{"x":1}')], [call('b', '{')], [part('"y":2}')]],
    ];
    for (const stream of streams) {
      const chunks = stream.map((calls) => chunk({ tool_calls: calls })).join('');
      const reply = await ask((response) => events(response).end(`${chunks}data: [DONE]\n\n`));
      expect(reply).to.have.property('ok', true);
      const { toolCalls } = reply as Extract<TextAnswer, { ok: true }>;
      expect(toolCalls.map((one) => [one.name, one.arguments])).to.deep.equal([
        ['a', '{"x":1}'],
        ['b', '{"y":2}'],
      ]);
    }
  });

  it('counts what a server reports of the usage, and nothing that is missing or not plausible', async () => {
    const usageIn = async (last: string) => {
      const reply = await ask((response) =>
        events(response).end(`${chunk({ content: 'a' })}data: ${last}\n\ndata: [DONE]\n\n`),
      );
      return reply.ok && reply.usage;
    };
    const none = { id: '', model: 'm', inputTokens: 0, cachedTokens: 0, outputTokens: 0 };
    const details = { prompt_tokens_details: { cached_tokens: 1 } };
    const usage = { prompt_tokens: 3, completion_tokens: 2, ...details };
    expect(await usageIn(JSON.stringify({ id: 'c', choices: [], usage }))).to.deep.equal({
      ...{ id: 'c', model: 'm', inputTokens: 3, cachedTokens: 1, outputTokens: 2 },
    });
    for (const last of [
      '{"choices":[],"usage":{}}',
      '{"id":null,"choices":[],"usage":{"prompt_tokens":null,"completion_tokens":"2"}}',
      '{"id":7,"choices":[],"usage":{"prompt_tokens":1e999,"prompt_tokens_details":{}}}',
      '{"choices":[],"usage":{"prompt_tokens":-3,"completion_tokens":10.5}}',
      '{"choices":[],"usage":{"prompt_tokens":9e18,"completion_tokens":2147483648}}',
    ])
      expect(await usageIn(last), last).to.deep.equal(none);
  });

  const endless: [what: string, status: number, start: string, most: number][] = [
    ['an event that never ends', 200, 'data: ', 4 * mebibyte],
    ['an event of endless lines', 200, `data: ${'x'.repeat(99)}\n`, 4 * mebibyte],
    ['the body of a refusal that never ends', 400, '{"error":"', 4 * mebibyte],
  ];
  for (const [what, status, start, most] of endless)
    it(`reads a bounded part of ${what}`, async () => {
      let sent = Promise.resolve(0);
      const reply = await ask((response) => {
        response.writeHead(status, { 'Content-Type': 'text/event-stream' });
        response.write(start);
        const lines = Buffer.from(start.endsWith('\n') ? start.repeat(600) : piece);
        sent = sendForEver(response, lines);
      });
      expect(reply.ok).to.equal(false);
      expect(await sent).to.be.below(most + 4 * mebibyte);
    });

  it('says that an answer with an endless event is too long', async () => {
    const reply = await ask((response) => {
      events(response).write('data: ');
      void sendForEver(response, piece);
    });
    expect(reply).to.deep.equal({ ok: false, reason: 'The model’s answer is too long.' });
  });

  const complete: readonly [what: string, end: string][] = [
    ['the end of the stream', 'data: [DONE]\n\n'],
    ['a reason', 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n'],
    [
      'a reason, before its usage',
      'data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: {"usage":{}}\n\n',
    ],
  ];
  for (const [what, end] of complete)
    it(`takes an answer for complete that ends with ${what}`, async () => {
      const reply = await ask((response) => events(response).end(chunk({ content: 'a' }) + end));
      expect(reply).to.deep.include({ ok: true, text: 'a' });
    });

  it('fails an answer that just stops, and one that is no stream', async () => {
    const reason = 'The model provider was unreachable, or interrupted its response.';
    expect(
      await ask((response) => events(response).end(chunk({ content: 'Let me look that up' }))),
    ).to.deep.equal({ ok: false, reason });
    const body = JSON.stringify({
      choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
    });
    expect(
      await ask((response) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(body),
      ),
    ).to.deep.equal({ ok: false, reason });
  });

  const pauses: readonly Record<string, string>[] = [
    { 'Retry-After': '3600' },
    { 'Retry-After-Ms': '3600000' },
    { 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() },
  ];
  for (const headers of pauses)
    it(`does not wait an hour for a provider that asks for ${Object.keys(headers)[0]}`, async () => {
      let asked = 0;
      const reply = await ask((response) => {
        asked += 1;
        response.writeHead(429, headers).end();
      });
      expect(reply).to.have.property('ok', false);
      expect(asked).to.equal(1);
    });

  it('asks again after a short pause', async () => {
    let asked = 0;
    const reply = await ask((response) => {
      asked += 1;
      if (asked === 1) response.writeHead(429, { 'Retry-After-Ms': '1' }).end();
      else events(response).end(`${chunk({ content: 'a' })}data: [DONE]\n\n`);
    });
    expect(reply).to.deep.include({ ok: true, text: 'a' });
    expect(asked).to.equal(2);
  });

  it('gives up at once when nobody waits any more, also between two attempts', async () => {
    const gone = new AbortController();
    const reason = new Error('gone');
    const refused = ask((response) => {
      response.once('close', () => gone.abort(reason));
      response.writeHead(503, { 'Retry-After-Ms': '4999', Connection: 'close' }).end();
    }, gone.signal);
    const outcome = await refused.catch((error: unknown) => error);
    expect(outcome).to.equal(reason);
  });

  it('fails an answer that breaks off with an error of the provider', async () => {
    const reply = await ask((response) => {
      events(response).end(`${chunk({ content: 'a' })}data: {"error":{"message":"busy"}}\n\n`);
    });
    expect(reply.ok).to.equal(false);
  });
});
