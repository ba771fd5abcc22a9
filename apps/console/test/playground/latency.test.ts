import { expect } from 'chai';
import {
  connected,
  measured,
  noLatency,
  totalOf,
  type Latency,
} from '#src/pages/playground/latency.js';

type Event = { readonly type: string; readonly [field: string]: unknown };
type Script = readonly (readonly [at: number, way: 'sent' | 'got', event: Event])[];

const played = (script: Script, from: Latency = noLatency): Latency =>
  script.reduce(
    (latency, [at, way, event]) => measured(latency, { sent: way === 'sent', event }, at),
    from,
  );

const typed = (at: number) =>
  [
    [at, 'sent', { type: 'conversation.item.create', item: { type: 'message', role: 'user' } }],
    [at, 'sent', { type: 'response.create' }],
  ] as const;
const created = (id: string): Event => ({ type: 'response.created', response: { id } });
const words = (response_id: string): Event => ({ type: 'response.output_text.delta', response_id });
const sound = (response_id: string): Event => ({
  type: 'response.output_audio.delta',
  response_id,
});
const done = (id: string, status = 'completed', output: Event[] = []): Event => ({
  type: 'response.done',
  response: { id, status, output },
});
const invocation = (what: 'start' | 'done', callId: string, more: object = {}): Event => ({
  type: `response.function_invocation.${what}`,
  data: { callId, ...more },
});

describe('where the time of a turn goes', () => {
  it('is thinking until the first words, then the answer', () => {
    const { turns } = played([
      ...typed(1_000),
      [1_050, 'got', created('r1')],
      [1_300, 'got', words('r1')],
      [1_320, 'got', sound('r1')],
      [1_900, 'got', words('r1')],
      [2_000, 'got', done('r1')],
    ]);
    expect(turns).to.deep.equal([
      {
        nth: 1,
        by: 'text',
        startedAt: 1_000,
        spent: { thinking: 300, approval: 0, tool: 0, answer: 700 },
        firstText: 300,
        firstAudio: 320,
        cut: false,
        over: true,
      },
    ]);
  });

  it('is charged to an approval and a tool while they last, and adds up to the whole', () => {
    const calls = [{ type: 'function_call' }];
    const { turns } = played([
      [1_000, 'got', { type: 'input_audio_buffer.speech_stopped' }],
      [1_100, 'got', created('r1')],
      [1_200, 'got', invocation('start', 'c1', { approvalRequired: true })],
      [1_210, 'got', done('r1', 'completed', calls)],
      [3_200, 'got', { type: 'approval.approved', data: { callId: 'c1' } }],
      [3_700, 'got', invocation('done', 'c1')],
      [3_800, 'got', created('r2')],
      [4_000, 'got', sound('r2')],
      [5_000, 'got', done('r2')],
    ]);
    expect(turns.map(({ spent, by, firstAudio }) => ({ ...spent, by, firstAudio }))).to.deep.equal([
      { thinking: 500, approval: 2_000, tool: 500, answer: 1_000, by: 'voice', firstAudio: 3_000 },
    ]);
    expect(totalOf(turns[0]!)).to.equal(4_000);
  });

  it('counts a client tool from its call until its answer', () => {
    const item = { type: 'function_call', call_id: 'c1' };
    const output = { type: 'function_call_output', call_id: 'c1' };
    const { turns } = played([
      ...typed(0),
      [10, 'got', created('r1')],
      [100, 'got', { type: 'response.output_item.done', item }],
      [110, 'got', done('r1', 'completed', [item])],
      [400, 'sent', { type: 'conversation.item.create', item: output }],
      [400, 'sent', { type: 'response.create' }],
      [450, 'got', created('r2')],
      [500, 'got', words('r2')],
      [600, 'got', done('r2')],
    ]);
    expect(turns.map(({ spent }) => spent)).to.deep.equal([
      { thinking: 200, approval: 0, tool: 300, answer: 100 },
    ]);
  });

  it('ends with what interrupts it, whatever comes of it later', () => {
    const { turns, open } = played([
      ...typed(0),
      [10, 'got', created('r1')],
      [20, 'got', words('r1')],
      ...typed(100),
      [110, 'got', words('r1')],
      [120, 'got', done('r1', 'cancelled')],
      [130, 'got', created('r2')],
    ]);
    expect(turns.map(({ cut, spent }) => ({ cut, ...spent }))).to.deep.equal([
      { cut: true, thinking: 20, approval: 0, tool: 0, answer: 80 },
    ]);
    expect(open?.turn.nth).to.equal(2);
    expect(open?.turn.firstText).to.equal(undefined);
  });

  it('is not confused by events that lack what they should have', () => {
    const broken = ['response.created', 'response.done', 'response.output_item.done'].map(
      (type) => [5, 'got', { type, response: 7, item: null }] as const,
    );
    expect(played([[1, 'got', invocation('done', 'c9')], ...broken])).to.deep.equal(noLatency);
  });

  it('has two parts before the first turn: creating the session, and opening it', () => {
    const steps = [
      ['asked', 100],
      ['created', 160],
      ['open', 400],
      ['open', 900],
    ] as const;
    const latency = steps.reduce((now, [step, at]) => connected(now, step, at), noLatency);
    expect(latency.connects).to.deep.equal([{ startedAt: 100, createdAt: 160, openedAt: 400 }]);
  });

  it('is over with its session', () => {
    const latency = connected(played(typed(0)), 'over', 700);
    expect(latency.open).to.equal(undefined);
    expect(latency.turns.map(({ cut, spent }) => [cut, spent.thinking])).to.deep.equal([
      [true, 700],
    ]);
  });
});
