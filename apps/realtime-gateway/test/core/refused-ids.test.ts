import { expect } from 'chai';
import { clientRoute } from '#src/core/client-routes.js';
import { step } from '#src/core/step.js';
import { create, decision, item, output } from './client-says.js';
import { running, text, withCalls } from './settings.js';

describe('an event of the client that is not passed on', () => {
  it('is refused under the id that the client gave it', () => {
    const events = [
      item({ role: 'system' }, { event_id: 'mine' }),
      { type: 'session.update', event_id: 'mine', session: {} },
      { ...create({ tools: [] }), event_id: 'mine' },
      { ...output({ call_id: 'theirs' }), event_id: 'mine' },
      { ...decision({ callId: 'mine' }), event_id: 'mine' },
      { ...decision({ callId: ['theirs'] }), event_id: 'mine' },
      { ...create({ Instructions: 'x' }), event_id: 'mine' },
      { type: 'conversation.item.delete', item_id: 'gw_1', event_id: 'mine' },
      { type: 'conversation.item.delete', Item_Id: 'x', event_id: 'mine' },
      { type: 'transcription_session.update', event_id: 'mine' },
      { type: 'Session.Update', event_id: 'mine' },
      { event_id: 'mine' },
    ];
    for (const event of events) {
      const frame = text(event);
      const route = clientRoute(frame.data, false);
      const { effects } = step(withCalls, { kind: 'client.frame', route, frame, now: 0 });
      expect(effects[0], JSON.stringify(event)).to.include({ kind: 'refuse', refusedId: 'mine' });
    }
  });

  it('is refused without an id where it has none that could be told', () => {
    for (const event of ['', '[]', '{"event_id":7}', `{"event_id":"${'x'.repeat(600)}"}`]) {
      const frame = text(event);
      const input = { kind: 'client.frame', route: 'malformed', frame, now: 0 } as const;
      expect(step(running, input).effects[0], event).to.not.have.property('refusedId');
    }
  });

  it('is told under its id when a decision in it comes too late, or cannot be stored', () => {
    const frame = text({ ...decision({ callId: 'theirs' }), event_id: 'mine' });
    const { state, effects } = step(withCalls, {
      kind: 'client.frame',
      route: 'approval',
      frame,
      now: 0,
    });
    const [asked] = effects;
    expect(asked).to.include({ kind: 'decide_call', eventId: 'mine' });
    for (const because of ['late', 'unavailable'] as const) {
      const input = { kind: 'decision.refused', approvalId: 'approval', because } as const;
      const told = step(state, { ...input, eventId: 'mine' }).effects[0];
      expect(told).to.have.property('refusedId', 'mine');
      expect(step(state, input).effects[0]).to.not.have.property('refusedId');
    }
  });
});
