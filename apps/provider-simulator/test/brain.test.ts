import { expect } from 'chai';
import { think, type Prompt, type Turn } from '#src/core/brain.js';
import { chooseTool } from '#src/core/tool-choice.js';
import { weatherTool } from './rehearsal.js';

const schema = (properties: object, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
});

const taskTool = {
  type: 'function',
  name: 'createTask',
  description: 'Adds a task to the list.',
  parameters: schema(
    {
      title: { type: 'string' },
      priority: { type: 'string', enum: ['low', 'high'] },
      days: { type: 'integer', minimum: 1, maximum: 30 },
    },
    'title',
  ),
};
const tools = [weatherTool, taskTool];

const answer = (prompt: Partial<Prompt>): string => {
  const part = think({ turns: [], tools: [], toolChoice: 'auto', ...prompt })[0];
  return part?.type === 'say' ? part.text : '';
};
const user = (text: string): Turn => ({ by: 'user', text });

describe('the brain', () => {
  it('greets and says what it can do', () => {
    expect(answer({ turns: [user('Hi!')], tools })).to.equal(
      'Hello! I can get weather or create task. What would you like?',
    );
    expect(answer({ turns: [user('what can you do?')] })).to.include('How can I help you?');
  });

  it('speaks first when nobody has said anything', () => {
    expect(answer({})).to.equal('Hello! How can I help you?');
  });

  it('repeats what it understood', () => {
    expect(answer({ turns: [user('I like trains.')] })).to.include('You said: I like trains.');
    expect(answer({ turns: [{ by: 'user', text: 'I like trains', spoken: true }] })).to.include(
      'I heard',
    );
  });

  it('tells the outputs of its calls in words', () => {
    const call = (callId: string, name: string): Turn => ({ by: 'call', callId, name });
    const turns: Turn[] = [
      user('both please'),
      call('1', 'get_weather'),
      call('2', 'createTask'),
      { by: 'output', callId: '1', text: '{"text":"Sunny in Rome","raw":[1,2]}' },
      { by: 'output', callId: '2', text: '{"id":7,"tags":["a","b"],"due":null}' },
    ];
    expect(answer({ turns, tools })).to.equal(
      'Here is what get weather returned: Sunny in Rome. Here is what create task returned: id: 7, tags: a, b, due: null.',
    );
  });

  it('tells an output that stands next to its call, before the next call', () => {
    const turns: Turn[] = [
      user('!call a !call b'),
      { by: 'call', callId: '1', name: 'colour' },
      { by: 'output', callId: '1', text: 'blue' },
      { by: 'call', callId: '2', name: 'price' },
      { by: 'output', callId: '2', text: 'five' },
    ];
    expect(answer({ turns })).to.equal(
      'Here is what colour returned: blue. Here is what price returned: five.',
    );
  });

  it('answers a message that came after the outputs', () => {
    const turns: Turn[] = [
      { by: 'call', callId: '1', name: 'f' },
      { by: 'output', callId: '1', text: 'x' },
      user('thanks'),
    ];
    expect(answer({ turns })).to.include('welcome');
  });

  it('answers a message that came while an answer began, which was then cut off', () => {
    const turns: Turn[] = [
      { by: 'call', callId: '1', name: 'f' },
      { by: 'output', callId: '1', text: 'x' },
      user('thanks'),
      { by: 'assistant', text: 'Here', isCutOff: true },
    ];
    expect(answer({ turns })).to.include('welcome');
  });
});

describe('the choice of a tool', () => {
  const chosen = (text: string, choice: Prompt['toolChoice'] = 'auto') => {
    const call = chooseTool(text, tools, choice);
    return call && [call.name, JSON.parse(call.arguments) as unknown];
  };

  const rows: [string, unknown][] = [
    ['What is the weather in London?', ['get_weather', { city: 'London' }]],
    ['weather please for New York!', ['get_weather', { city: 'New York' }]],
    ['Create a task called buy milk', ['createTask', { title: 'buy milk' }]],
    [
      'create a high priority task "call Anna" in 3 days',
      ['createTask', { title: 'call Anna', priority: 'high', days: 3 }],
    ],
    [
      'add a task to the list in 99 days',
      ['createTask', { title: 'the list in 99 days', days: 30 }],
    ],
    ['I like trains', undefined],
    ['tell me a story', undefined],
  ];
  for (const [text, expected] of rows)
    it(`answers "${text}" with ${expected === undefined ? 'none' : JSON.stringify(expected)}`, () =>
      expect(chosen(text)).to.deep.equal(expected));

  it('obeys tool_choice', () => {
    expect(chosen('What is the weather in London?', 'none')).to.equal(undefined);
    expect(chosen('I like trains', 'required')?.[0]).to.equal('get_weather');
    expect(chosen('weather', { type: 'function', name: 'createTask' })?.[0]).to.equal('createTask');
    expect(chosen('weather', { type: 'function', name: 'absent' })).to.equal(undefined);
  });

  it('fills every kind of required argument from the words and the schema', () => {
    const parameters = schema(
      {
        question: { type: 'string' },
        email: { type: 'string' },
        when: { type: 'string', format: 'date-time' },
        day: { type: 'string', format: 'date' },
        fixed: { const: 4 },
        ratio: { type: 'number', minimum: 0.5 },
        urgent: { type: 'boolean' },
        nothing: { type: 'null' },
        list: { type: 'array', items: { type: 'integer' } },
        nested: schema({ colour: { enum: ['red', 'blue'] } }, 'colour'),
        untyped: {},
      },
      ...[
        'question',
        'email',
        'when',
        'day',
        'fixed',
        'ratio',
        'urgent',
        'nothing',
        'list',
        'nested',
        'untyped',
      ],
    );
    const tool = { type: 'function', name: 'report', parameters };
    const text = 'report 2 blue birds, not urgent, mail to me@example.org on 2026-12-24';
    const call = chooseTool(text, [tool], 'auto');
    expect(JSON.parse(call?.arguments ?? '')).to.deep.equal({
      question: text,
      email: 'me@example.org',
      when: '2026-01-01T09:00:00Z',
      day: '2026-12-24',
      fixed: 4,
      ratio: 2,
      urgent: false,
      nothing: null,
      list: [2],
      nested: { colour: 'blue' },
      untyped: 'me@example.org on 2026-12-24',
    });
  });

  it('survives a schema that refers to itself or to nothing', () => {
    const loop: Record<string, unknown> = { type: 'array' };
    loop['items'] = loop;
    const tool = {
      type: 'function',
      name: 'loop',
      parameters: schema({ loop, odd: true }, 'loop', 'odd'),
    };
    expect(chooseTool('loop', [tool], 'auto')?.name).to.equal('loop');
    expect(
      chooseTool('bare', [{ type: 'function', name: 'bare' }], 'auto')?.arguments.trim(),
    ).to.equal('{}');
  });
});
