import { expect } from 'chai';
import type { Problem } from '@parley/protocol';
import { callIdOf, runOfCall } from '#src/openai-door/call-ids.js';
import { readChat } from '#src/openai-door/chat-request.js';
import { chatCompletion, chunksOf } from '#src/openai-door/completion.js';

const user = (content: unknown) => ({ role: 'user', content });
const read = (body: object) => readChat({ model: 'm', messages: [user('Hi.')], ...body });
const conversationId = '7b6f4a52-2f6e-4c55-9d53-0d3a5c1e0001';

function wrongIn(body: unknown): string[] {
  try {
    readChat(body);
    return [];
  } catch (error) {
    return (error as Problem).errors.map(({ path }) => path);
  }
}

describe('a request of OpenAI’s chat completions', () => {
  it('is a question with its history and what is brought along', () => {
    const toolCalls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const question = read({
      messages: [
        { role: 'system', content: 'Be brief.' },
        user([
          { type: 'text', text: 'Good ' },
          { type: 'text', text: 'morning.' },
        ]),
        { role: 'assistant', content: null, tool_calls: toolCalls },
        { role: 'tool', tool_call_id: 'c', content: 'done' },
        { role: 'developer', content: 'Be kind.' },
        user('And now?'),
      ],
      tools: [{ type: 'function', function: { name: 'f', strict: true } }],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(question).to.deep.equal({
      model: 'm',
      conversationId: null,
      messages: [
        { role: 'user', content: 'Good morning.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ callId: 'c', name: 'f', arguments: '{}' }],
        },
        { role: 'tool', callId: 'c', content: 'done' },
        { role: 'user', content: 'And now?' },
      ],
      said: 'And now?',
      given: {
        instructions: 'Be brief.\n\nBe kind.',
        tools: [{ name: 'f', description: 'f' }],
      },
      stream: true,
      includeUsage: true,
    });
  });

  it('leaves the history to a conversation that is named', () => {
    const call = { id: 'c', function: { name: 'f', arguments: '{}' } };
    const before = [user('One.'), { role: 'assistant', content: 'Two.' }];
    const metadata = { conversationId: conversationId.toUpperCase() };
    const asked = read({ metadata, messages: [...before, user('Three.')] });
    expect(asked).to.deep.include({ conversationId, said: 'Three.' });
    expect(asked.messages).to.deep.equal([{ role: 'user', content: 'Three.' }]);
    const brought = read({
      metadata,
      messages: [
        ...before,
        user('Three.'),
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    });
    expect(brought.said).to.equal(null);
    expect(brought.messages.map(({ role }) => role)).to.deep.equal(['assistant', 'tool']);
  });

  it('takes null for what is left out, and nothing from tools that must not be called', () => {
    const nothing = { tools: null, stream: null, stream_options: null, metadata: null, n: null };
    expect(read(nothing)).to.deep.include({ stream: false, includeUsage: false });
    const tools = [{ type: 'function', function: { name: 'f' } }];
    expect(read({ tools, tool_choice: 'none' }).given.tools).to.deep.equal([]);
  });

  it('says where it is wrong', () => {
    const fn = (name: unknown, more: object = {}) => ({
      type: 'function',
      function: { name, ...more },
    });
    const cases: [unknown, string][] = [
      [null, ''],
      [{ model: 'm' }, ''],
      [{ model: 1, messages: [user('Hi.')] }, '/model'],
      [{ model: 'm', messages: 'Hi.' }, '/messages'],
      [{ model: 'm', messages: [user(7)] }, '/messages/0/content'],
      [{ model: 'm', messages: [user([{ text: 'x' }])] }, '/messages/0/content'],
      [{ model: 'm', messages: [user([{ type: 'text' }])] }, '/messages/0/content/0'],
      [{ model: 'm', messages: [user([{ type: 'input_audio' }])] }, '/messages/0/content/0'],
      [{ model: 'm', messages: [user('Hi.')], tools: [fn('')] }, '/tools/0/function/name'],
      [{ model: 'm', messages: [user('Hi.')], tools: [fn(7)] }, '/tools/0/function/name'],
      [{ model: 'm', messages: [user('Hi.')], tools: [{ type: 'function' }] }, '/tools/0'],
      [{ model: 'm', messages: [user('Hi.')], tools: Array(65).fill(fn('f')) }, '/tools'],
    ];
    for (const [body, path] of cases)
      expect(
        wrongIn(body).some((place) => place.startsWith(path)),
        JSON.stringify(body),
      ).to.equal(true);
    expect(wrongIn({ model: 'm', messages: [user('Hi.')] })).to.deep.equal([]);
  });
});

describe('the id of a call that is left to the caller', () => {
  it('leads back to its question, and fits in what providers take', () => {
    expect(runOfCall(callIdOf(conversationId, 0))).to.equal(conversationId);
    expect(runOfCall(callIdOf(conversationId, 127))).to.equal(conversationId);
    expect(callIdOf(conversationId, 127)).to.have.lengthOf.at.most(40);
    for (const other of ['', 'call_abc', `call_${conversationId}00`, 'x'.repeat(100)])
      expect(runOfCall(other), other).to.equal(undefined);
  });
});

describe('a completion', () => {
  const frame = { runId: conversationId, model: 'm', created: 1 };
  const usage = { inputTextTokens: 5, inputCachedTokens: 2, outputTextTokens: 3 };
  const calls = [{ callId: 'x', name: 'f', arguments: '{}' }];

  it('is what OpenAI’s clients read', () => {
    expect(chatCompletion(frame, { content: 'Yes.', calls: [], usage })).to.deep.equal({
      id: `chatcmpl-${conversationId}`,
      object: 'chat.completion',
      created: 1,
      model: 'm',
      system_fingerprint: null,
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Yes.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 3,
        total_tokens: 8,
        prompt_tokens_details: { cached_tokens: 2 },
      },
    });
  });

  it('has words and calls, or calls alone', () => {
    const content = (words: string) =>
      chatCompletion(frame, { content: words, calls, usage }) as {
        choices: [{ message: { content: string | null }; finish_reason: string }];
      };
    expect(content('').choices[0].message.content).to.equal(null);
    expect(content('Look.').choices[0].message.content).to.equal('Look.');
    expect(content('').choices[0].finish_reason).to.equal('tool_calls');
  });

  it('ends with its calls, its reason, its cost if that is asked for, and [DONE]', () => {
    const end = (includeUsage: boolean) =>
      chunksOf(frame, includeUsage)
        .end({ content: '', calls, usage })
        .map((text) => (text === '[DONE]' ? text : (JSON.parse(text) as Record<string, unknown>)));
    const plain = end(false);
    expect(plain).to.have.length(3);
    expect(plain[0]).to.have.nested.property('choices[0].delta.tool_calls[0].index', 0);
    expect(plain[1]).to.have.nested.property('choices[0].finish_reason', 'tool_calls');
    expect(plain[0]).not.to.have.property('usage');
    const counted = end(true);
    expect(counted).to.have.length(4);
    expect(counted[0]).to.have.property('usage', null);
    expect(counted[2]).to.deep.include({ choices: [] });
    expect(counted[3]).to.equal('[DONE]');
  });
});
