import { expect } from 'chai';
import type { PastItem } from '@parley/protocol';
import { replay } from '#src/core/history.js';
import { ownId } from '#src/core/own-ids.js';
import { step } from '#src/core/step.js';
import { Dialogue, item, start, typed } from './dialogue.js';
import { codeFor, configuring, settings, text } from './settings.js';

describe('the past of a conversation', () => {
  const message = (role: 'user' | 'assistant', content: string): PastItem => ({
    kind: 'message',
    role,
    content,
  });
  const past: PastItem[] = [
    message('user', 'one'),
    { kind: 'call', callId: 'c', name: 'f', arguments: '{}', output: '1' },
    message('assistant', 'three'),
  ];

  it('is told to the provider before the client is let in, and not recorded again', () => {
    const state = { ...configuring, settings: { ...settings, history: past } };
    const frame = text({ type: 'session.updated', session: {} });
    const input = { kind: 'provider.frame', route: 'session', frame, now: start } as const;
    const { effects } = step(state, input);
    const kinds = effects.map(({ kind }) => kind);
    expect(kinds.lastIndexOf('send_provider')).to.be.lessThan(kinds.indexOf('resume_client'));
    expect(kinds.filter((kind) => kind === 'send_provider')).to.have.length(4);
    const echo = new Dialogue()
      .client(typed('one'))
      .provider('conversation.item.added', item(ownId(codeFor, 'history', 1), 'user'));
    expect(echo.messages).to.have.length(1);
    expect(echo.state.ledger.slots).to.have.length(1);
  });

  it('is items of the provider, with ids of the service', () => {
    const events = replay(past, codeFor).map(
      ({ event }) => JSON.parse(event) as Record<string, unknown>,
    );
    expect(events.map((event) => event['event_id'])).to.deep.equal(
      [1, 2, 3, 4].map((n) => ownId(codeFor, 'history', n)),
    );
    expect(events.map((event) => event['item'])).to.deep.equal([
      {
        id: ownId(codeFor, 'history', 1),
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'one' }],
      },
      {
        id: ownId(codeFor, 'history', 2),
        type: 'function_call',
        call_id: 'c',
        name: 'f',
        arguments: '{}',
      },
      {
        id: ownId(codeFor, 'history', 3),
        type: 'function_call_output',
        call_id: 'c',
        output: '1',
      },
      {
        id: ownId(codeFor, 'history', 4),
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'three' }],
      },
    ]);
  });

  it('keeps the ids that items have, and leaves one open that the provider has to give', () => {
    const items: Parameters<typeof replay>[0] = [
      ...past,
      { kind: 'message', itemId: 'item_u', role: 'user', content: 'four' },
      { kind: 'message', untaken: true, role: 'user', content: 'five' },
      {
        ...{ kind: 'call', callId: 'd', name: 'f', arguments: '{}', output: '2' },
        ...{ itemId: 'item_d', outputId: 'output_d' },
      },
      { kind: 'open call', itemId: 'item_e', callId: 'e', name: 'f', arguments: '{}' },
      { kind: 'message', itemId: 'x'.repeat(33), role: 'user', content: 'six' },
    ];
    const replayed = replay(items, codeFor);
    expect(replayed.map(({ id }) => id)).to.deep.equal([
      ...[1, 2, 3, 4].map((n) => ownId(codeFor, 'history', n)),
      ...['item_u', undefined, 'item_d', 'output_d', 'item_e'],
      ownId(codeFor, 'history', 10),
    ]);
    for (const [n, { id, event }] of replayed.entries()) {
      const told = JSON.parse(event) as { event_id: string; item: { id?: string } };
      expect(told.event_id).to.equal(ownId(codeFor, 'history', n + 1));
      expect(told.item.id).to.equal(id);
    }
  });
});
