import { expect } from 'chai';
import { parseChat } from '#src/core/chat-request.js';
import { chatSteps } from '#src/core/chat-steps.js';

const ask = (...messages: object[]) => parseChat({ model: 'm', messages });

function textOf(parsed: ReturnType<typeof ask>): string {
  if (!parsed.ok) return parsed.problem.message;
  return chatSteps(parsed.request)
    .map((step) => (step.type === 'content' ? step.delta : ''))
    .join('');
}

describe('a chat request', () => {
  it('may have its text in parts, and settings that change nothing', () => {
    const content = [
      { type: 'text', text: '!say' },
      { type: 'image_url', image_url: { url: 'x' } },
      { type: 'text', text: 'yes' },
    ];
    expect(textOf(ask({ role: 'user', content }))).to.equal('yes');
    expect(parseChat({ model: 'm', messages: [], temperature: 1 }).ok).to.equal(true);
  });

  it('may ask for a million words', () => {
    const words = 'a '.repeat(1_000_000);
    expect(textOf(ask({ role: 'user', content: `!say ${words}` }))).to.have.length(1_999_999);
  });

  it('is answered without its system messages', () => {
    const system = { role: 'system', content: '!say no' };
    expect(textOf(ask(system, { role: 'user', content: 'thank you' }))).to.include('welcome');
  });

  const refusals: [string, unknown, string][] = [
    ['no object', [], ''],
    ['no model', { messages: [] }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['an unknown role', { model: 'm', messages: [{ role: 'oracle' }] }, 'messages[0].role'],
    [
      'a tool without a name',
      { model: 'm', messages: [], tools: [{ type: 'function', function: {} }] },
      'tools[0].function.name',
    ],
    ['an unknown tool choice', { model: 'm', messages: [], tool_choice: 'maybe' }, 'tool_choice'],
  ];
  for (const [title, body, param] of refusals)
    it(`is refused with ${title}`, () => {
      const parsed = parseChat(body);
      expect(parsed.ok ? undefined : parsed.problem.param).to.equal(param);
    });

  it('can be told to call one tool', () => {
    const tools = ['a', 'b'].map((name) => ({ type: 'function', function: { name } }));
    const tool_choice = { type: 'function', function: { name: 'b' } };
    const messages = [{ role: 'user', content: 'hello' }];
    const parsed = parseChat({ model: 'm', messages, tools, tool_choice });
    expect(parsed.ok && chatSteps(parsed.request)[0]).to.include({ type: 'call', name: 'b' });
  });
});
