import { expect } from 'chai';
import type { RefusalCode } from '@parley/protocol';
import {
  clientEvents,
  clientRoute,
  clientRoutes,
  type ClientRoute,
} from '#src/core/client-routes.js';
import { step } from '#src/core/step.js';
import type { SessionState } from '#src/core/session.js';
import { create, decision, item, output } from './client-says.js';
import { running, text, withCalls } from './settings.js';

type Row = { given?: SessionState; when: unknown; then: RefusalCode | 'forwarded' | 'decided' };

const overridable: SessionState = {
  ...running,
  settings: { ...running.settings, clientOverrides: 'allow' },
};
const merging: SessionState = {
  ...running,
  settings: { ...running.settings, clientOverrides: 'merge' },
};
const resumable: SessionState = {
  ...running,
  settings: { ...running.settings, resumeGraceSeconds: 30 },
};
const update = '{"type":"session.update","session":{"instructions":"Sing."}}';
const utf16be = (words: string) => Buffer.from(words, 'utf16le').swap16();
const utf32 = (words: string) => Buffer.from(words.replaceAll(/./gs, '$&\0\0\0'), 'latin1');

const byApi: SessionState = {
  ...withCalls,
  asked: withCalls.asked.map((one) => ({ ...one, approvers: ['api'] })),
};

/** A row of this table per rule; a route without one fails below. */
const rows: Record<ClientRoute, Row[]> = {
  forward: Object.entries(clientEvents)
    .filter(([, route]) => route === 'forward')
    .map(([type]) => ({ when: { type, audio: 'AAAA' }, then: 'forwarded' })),
  unknown: [
    { when: { type: 'response.dance' }, then: 'forwarded' },
    { when: { type: '__proto__' }, then: 'forwarded' },
    { when: { type: 'message.created', data: {} }, then: 'forwarded' },
  ],
  binary: [
    Buffer.from([0, 255]),
    Buffer.alloc(640),
    Buffer.from('{"type":"session.update"'),
    Buffer.from([0x7b, 0, 0x22, 0, 0x7d, 0xff]),
    Buffer.concat([Buffer.from('{'), Buffer.alloc(319, 0x22)]),
  ].map((when) => ({ when, then: 'forwarded' as const })),
  settings: [
    { when: { type: 'session.update', session: {} }, then: 'SessionUpdateNotAllowed' },
    { when: '{"session":{"x":"{}"},"type":"session.update"}', then: 'SessionUpdateNotAllowed' },
    { when: Buffer.from(update), then: 'SessionUpdateNotAllowed' },
    { when: { type: 'transcription_session.update' }, then: 'SessionUpdateNotAllowed' },
    { given: overridable, when: { type: 'session.update', session: {} }, then: 'forwarded' },
    { given: merging, when: { type: 'session.update' }, then: 'EventMalformed' },
    { given: merging, when: { type: 'session.update', session: [] }, then: 'EventMalformed' },
    { given: merging, when: '{"type":"session.update","session":{]}', then: 'EventMalformed' },
    {
      given: merging,
      when: '{"type":"session.update","session":{"voice":"ash","voice":"sage"}}',
      then: 'EventMalformed',
    },
    {
      given: merging,
      when: `{"type":"session.update","session":{"tools":${deep(40)}}}`,
      then: 'EventMalformed',
    },
    {
      given: merging,
      when: { type: 'session.update', event_id: 'gw_1', session: {} },
      then: 'ItemNotAllowed',
    },
    {
      given: merging,
      when: { type: 'transcription_session.update' },
      then: 'SessionUpdateNotAllowed',
    },
  ],
  response: [
    { when: { type: 'response.create' }, then: 'forwarded' },
    { when: create({ metadata: { Topic: 'x' }, max_output_tokens: 9 }), then: 'forwarded' },
    ...['instructions', 'tools', 'tool_choice', 'prompt', 'input'].map((field) => ({
      when: create({ [field]: 'x' }),
      then: 'ResponseOverrideNotAllowed' as const,
    })),
    { when: create({ instructions: null, tools: null, input: null }), then: 'forwarded' },
    { given: merging, when: create({ instructions: null, prompt: null }), then: 'forwarded' },
    { given: merging, when: create({ tool_choice: 'auto' }), then: 'forwarded' },
    { given: merging, when: { type: 'response.create', event_id: 'gw_1' }, then: 'ItemNotAllowed' },
    { given: merging, when: create({ tools: {}, Tools: [] }), then: 'EventMalformed' },
    { given: merging, when: create({ Instructions: 'x' }), then: 'EventMalformed' },
    { when: { type: 'response.create', tools: [] }, then: 'ResponseOverrideNotAllowed' },
    { when: { type: 'response.create', event_id: 'gw_create_1' }, then: 'ItemNotAllowed' },
    { when: Buffer.from('{"type":"response.create"}'), then: 'forwarded' },
    { when: create({ Instructions: 'x' }), then: 'EventMalformed' },
    { when: create({ inſtructions: 'x' }), then: 'EventMalformed' },
    { when: { type: 'response.create', Response: {} }, then: 'EventMalformed' },
    {
      when: '{"type":"response.create","response":{"tools":[]},"response":{}}',
      then: 'EventMalformed',
    },
    { when: '{"type":"response.create","response":{"__proto__":{}}}', then: 'EventMalformed' },
    { when: '{"type":"response.create","response":{]}', then: 'EventMalformed' },
    { when: `{"type":"response.create","response":${deep(30_000)}}`, then: 'EventMalformed' },
    { given: overridable, when: create({ instructions: 'Sing.' }), then: 'forwarded' },
  ],
  item: [
    { when: { type: 'conversation.item.create', item: { type: 'message' } }, then: 'forwarded' },
    { when: { type: 'conversation.item.create' }, then: 'forwarded' },
    { when: item({ role: 'assistant' }), then: 'forwarded' },
    {
      when: item({ id: 'mine' }, { event_id: 'mine', previous_item_id: 'gw_x' }),
      then: 'forwarded',
    },
    ...[
      item({ role: 'system' }),
      item({ role: 'developer' }),
      item({ role: ' System' }),
      item({ role: 'ｓystem' }),
      { type: 'conversation.item.create', item: { role: 'system', content: [] } },
      item({ type: 'function_call', call_id: 'c', name: 'pay', arguments: '{}' }),
      item({ type: 'Function_Call' }),
      item({ type: 'mcp_call' }),
      item({ type: 'mcp_approval_response' }),
      item({ id: 'gw_output_1' }),
      item({ id: 'GW_output_1' }),
      item({}, { event_id: 'gw_output_1' }),
      Buffer.from(JSON.stringify(item({ role: 'system' }))),
    ].map((when) => ({ when, then: 'ItemNotAllowed' as const })),
    { given: overridable, when: item({ role: 'system' }), then: 'forwarded' },
    { given: overridable, when: item({ type: 'mcp_call' }), then: 'forwarded' },
    { given: overridable, when: item({ id: 'gw_output_1' }), then: 'forwarded' },
    {
      given: withCalls,
      when: output({ type: 'Function_call_output' }),
      then: 'FunctionOutputNotAllowed',
    },
    { given: withCalls, when: output({ call_id: 'mine' }), then: 'forwarded' },
    { given: withCalls, when: output({ call_id: 'done' }), then: 'FunctionOutputNotAllowed' },
    { given: withCalls, when: output({ call_id: 'theirs' }), then: 'FunctionOutputNotAllowed' },
    { given: withCalls, when: output({ call_id: 'other' }), then: 'FunctionOutputNotAllowed' },
    { given: withCalls, when: output({ call_id: 7 }), then: 'FunctionOutputNotAllowed' },
    { given: withCalls, when: output({}), then: 'FunctionOutputNotAllowed' },
    {
      given: withCalls,
      when: output({ call_id: 'mine', Call_Id: 'theirs' }),
      then: 'EventMalformed',
    },
    { given: overridable, when: output({ call_id: 'other' }), then: 'FunctionOutputNotAllowed' },
  ],
  removal: [
    { when: { type: 'conversation.item.delete', item_id: 'theirs' }, then: 'forwarded' },
    { when: { type: 'conversation.item.delete', item_id: 'gw_history_1' }, then: 'ItemNotAllowed' },
    {
      when: '{"type":"conversation.item.delete","item_id":"a","Item_Id":"gw_x"}',
      then: 'EventMalformed',
    },
    {
      given: overridable,
      when: { type: 'conversation.item.delete', item_id: 'gw_history_1' },
      then: 'forwarded',
    },
  ],
  approval: [
    { given: byApi, when: decision({ callId: 'theirs' }), then: 'ApproverNotAllowed' },
    { when: { type: 'approval.approve', callId: 'theirs' }, then: 'ApprovalNotWaiting' },
    { given: withCalls, when: decision({ callId: 'theirs' }), then: 'decided' },
    { given: withCalls, when: decision({ call_id: 'theirs' }), then: 'decided' },
    { given: withCalls, when: decision({ callId: 'theirs', call_id: 'theirs' }), then: 'decided' },
    {
      given: withCalls,
      when: decision({ callId: 'theirs', call_id: 'mine' }),
      then: 'EventMalformed',
    },
    { given: withCalls, when: decision({}), then: 'EventMalformed' },
    { given: withCalls, when: decision({ callId: 7 }), then: 'EventMalformed' },
    { given: withCalls, when: decision({ callId: null, call_id: null }), then: 'EventMalformed' },
    { given: withCalls, when: decision({ callId: ['theirs'] }), then: 'EventMalformed' },
    { given: withCalls, when: decision({ CallId: 'theirs' }), then: 'EventMalformed' },
    {
      given: withCalls,
      when: '{"type":"approval.approve","callId":"mine","callId":"theirs"}',
      then: 'EventMalformed',
    },
    { given: withCalls, when: decision({ callId: 'mine' }), then: 'ApprovalNotWaiting' },
    { given: withCalls, when: decision({ callId: 'over' }), then: 'ApprovalNotWaiting' },
    { given: withCalls, when: decision({ callId: '__proto__' }), then: 'ApprovalNotWaiting' },
    {
      given: withCalls,
      when: decision({ callId: 'x'.repeat(60_000) }),
      then: 'ApprovalNotWaiting',
    },
  ],
  ack: [
    { when: { type: 'session.ack', received: 3 }, then: 'forwarded' },
    ...[undefined, null, '3', -1, 1.5, 1e300, [3], {}].map((received) => ({
      given: resumable,
      when: { type: 'session.ack', received },
      then: 'AcknowledgementInvalid' as const,
    })),
    {
      given: resumable,
      when: '{"type":"session.ack","received":1,"received":2}',
      then: 'AcknowledgementInvalid',
    },
  ],
  malformed: [
    ...['not JSON', 'null', '7', '[]', '{}', '{"type":1}', '', '{"type":"a","type":"b"}'],
    ...['{"type":"Session.Update"}', '{"type":" session.update"}'],
    ...[Buffer.from('{}'), Buffer.from('{"type":"a","type":"session.update"}')],
    ...[Buffer.from(`\ufeff${update}`), Buffer.from(update, 'utf16le'), utf16be(update)],
    ...[Buffer.from(`\ufeff${update}`, 'utf16le'), utf16be(`\ufeff${update}`), utf32(update)],
    Buffer.from(' {"type":"session.update","x":"\u2222\u7b7b"}', 'utf16le'),
  ].map((when) => ({ when, then: 'EventMalformed' })),
};

describe('a frame of the client', () => {
  for (const route of Object.keys(clientRoutes) as ClientRoute[]) {
    describe(`by the route "${route}"`, () => {
      it('has a row in the table', () => {
        expect(rows[route]).to.not.be.empty;
      });
      for (const { given = running, when, then } of rows[route]) {
        const binary = Buffer.isBuffer(when);
        const frame = binary ? { data: when, binary } : text(when);
        it(`is ${then}: ${frame.data.toString().slice(0, 80)}`, () => {
          expect(clientRoute(frame.data, binary)).to.equal(route);
          const { effects } = step(given, { kind: 'client.frame', route, frame, now: 0 });
          if (then === 'forwarded')
            expect(effects[0]).to.deep.equal({ kind: 'send_provider', frame });
          else expect(effects).to.have.length(1);
          if (then === 'forwarded') return;
          if (then === 'decided')
            expect(effects[0]).to.deep.equal({
              kind: 'decide_call',
              approvalId: 'approval',
              approve: false,
            });
          else expect(effects[0]).to.include({ kind: 'refuse', code: then });
        });
      }
    });
  }

  it('acknowledges messages in a resumable session', () => {
    const frame = text({ type: 'session.ack', event_id: 'mine', received: 3 });
    const { effects } = step(resumable, { kind: 'client.frame', route: 'ack', frame, now: 0 });
    expect(effects).to.deep.equal([
      { kind: 'acknowledge', received: 3, reply: false, refusedId: 'mine' },
    ]);
  });

  it('acknowledges messages while the provider is replaced, too', () => {
    const frame = text({ type: 'session.ack', received: 3, reply: true });
    const renewing = { ...resumable, phase: 'renewing' } as const;
    const { effects } = step(renewing, { kind: 'client.frame', route: 'ack', frame, now: 0 });
    expect(effects[0]).to.include({ kind: 'acknowledge', received: 3, reply: true });
  });

  it('is forwarded as the very bytes that came', () => {
    const frame = text('{ "type" : "input_audio_buffer.append", "audio":"QUJD" }');
    const { effects } = step(running, { kind: 'client.frame', route: 'forward', frame, now: 0 });
    expect(effects[0]).to.have.nested.property('frame.data').that.equals(frame.data);
  });

  it('answers a client tool call once', () => {
    const frame = text(output({ call_id: 'mine' }));
    const input = { kind: 'client.frame', route: 'item', frame, now: 0 } as const;
    const first = step(withCalls, input);
    const second = step(first.state, input);
    expect(first.effects[0]).to.have.property('kind', 'send_provider');
    expect(second.effects[0]).to.include({ kind: 'refuse', code: 'FunctionOutputNotAllowed' });
  });

  it('has no effect once the session is closed', () => {
    const closed = { ...running, phase: 'closed' } as const;
    const frame = text({ type: 'response.create' });
    const input = { kind: 'client.frame', route: 'response', frame, now: 0 } as const;
    expect(step(closed, input).effects).to.be.empty;
  });
});

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
