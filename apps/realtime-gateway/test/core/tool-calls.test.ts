import { expect } from 'chai';
import { openSession, type Effect, type Input } from '#src/core/session.js';
import { step } from '#src/core/step.js';
import { Conversation } from './conversation.js';
import { settings, text } from './settings.js';

const talk = () => new Conversation();

describe('a call of a backend tool', () => {
  it('starts with its arguments, at the place of its item, after the raw event', () => {
    const talking = talk().begin().call('c', 'lookup');
    const [raw, effect, idle] = talking.effects.slice(-3);
    expect(raw).to.have.property('kind', 'send_client');
    expect(idle).to.deep.equal({ kind: 'disarm_timer', timer: 'idle' });
    const slot = talking.state.ledger.slots.find(({ itemId }) => itemId === 'item_c');
    const { position } = slot!;
    const made = { callId: 'c', itemId: 'item_c', name: 'lookup', arguments: '{ "q": 1 }' };
    const call = { ...made, position };
    expect(effect).to.deep.equal({ kind: 'start_call', call });
  });

  it('starts once, whatever repeats', () => {
    const talking = talk().begin().call('c', 'lookup').call('c', 'lookup').itemDone('c', 'lookup');
    const item = { id: 'item_c', type: 'function_call', call_id: 'c', name: 'lookup' };
    talking.end('r', 'completed', [item]).arguments('c', 'lookup').finish('c').call('c', 'lookup');
    expect(talking.started).to.deep.equal(['lookup c']);
    expect(talking.told).to.deep.equal(['c: result', 'create']);
  });

  it('takes its name from the item when the arguments lack it', () => {
    const before = talk().begin().announce('c', 'lookup');
    before.arguments('c', 'lookup', { name: undefined });
    expect(before.started).to.deep.equal(['lookup c']);
    const later = talk().begin().arguments('c', 'lookup', { name: undefined });
    expect(later.started).to.be.empty;
    expect(later.itemDone('c', 'lookup').started).to.deep.equal(['lookup c']);
  });

  it('starts with its item, or with the end of the response, when no arguments were told', () => {
    expect(talk().begin().itemDone('c', 'lookup').started).to.deep.equal(['lookup c']);
    const item = { id: 'i', type: 'function_call', call_id: 'c', name: 'lookup', arguments: '{}' };
    const ended = talk().begin().end('r', 'completed', [item]);
    expect(ended.started).to.deep.equal(['lookup c']);
    expect(ended.finish('c').told).to.deep.equal(['c: result', 'create']);
  });

  it('with arguments that do not parse waits for the end of its item', () => {
    const cut = talk().begin().announce('c', 'lookup');
    cut.arguments('c', 'lookup', { arguments: '{ "q"' });
    cut.itemDone('c', 'lookup', { status: 'incomplete', arguments: '{ "q"' }).end('r', 'cancelled');
    expect(cut.started).to.be.empty;
    expect(cut.told).to.be.empty;
    const bad = talk().begin().announce('c', 'lookup');
    bad.arguments('c', 'lookup', { arguments: 'nonsense' });
    bad.itemDone('c', 'lookup', { arguments: 'nonsense' });
    expect(bad.started).to.deep.equal(['lookup c']);
  });

  it('is answered at once when too many are open', () => {
    const talking = talk().begin();
    for (let n = 0; n < 65; n += 1) talking.call(`c${n}`, 'lookup');
    expect(talking.started).to.have.length(64);
    expect(talking.told).to.have.length(1);
    expect(talking.told[0]).to.match(/^c64: .*At most 64/);
  });

  it('that is beside the conversation does not run', () => {
    const talking = talk().begin('r', { conversation_id: null }).call('c', 'lookup');
    talking.itemDone('c', 'lookup').end();
    expect(talking.started).to.be.empty;
  });

  it('of a session that ended changes nothing', () => {
    const talking = talk().begin().call('c', 'lookup');
    talking.happens({ kind: 'client.closed' });
    const before = talking.effects.length;
    talking.finish('c').happens({ kind: 'call.told', event: '{}' });
    expect(talking.effects).to.have.length(before);
  });
});

describe('a response that does not complete', () => {
  for (const status of ['cancelled', 'failed', 'incomplete'])
    it(`and is ${status} cancels its calls, and asks for no other`, () => {
      const talking = talk().begin().call('c', 'lookup').call('d', 'lookup').finish('d');
      talking.end('r', status);
      expect(talking.of('cancel_calls')).to.deep.equal([{ kind: 'cancel_calls', callIds: ['c'] }]);
      talking.finish('c', 'cancelled').call('e', 'lookup');
      expect(talking.started).to.deep.equal(['lookup c', 'lookup d']);
      expect(talking.told).to.deep.equal(['d: result', 'c: cancelled']);
    });

  it('leaves the calls of client tools to the client, who may still answer', () => {
    const talking = talk().begin().call('m', 'show_map').end('r', 'cancelled');
    expect(talking.of('cancel_calls')).to.be.empty;
    expect(talking.of('disarm_timer').at(-1)?.timer).to.equal('call m');
    expect(talking.answer('m').answer('m').told).to.deep.equal(['m: mine']);
    expect(talking.refusals).to.deep.equal(['FunctionOutputNotAllowed']);
  });
});

describe('the answer to tool calls', () => {
  it('is asked for once, after all outputs of the response', () => {
    const talking = talk().begin().call('c', 'lookup').call('d', 'lookup').end().finish('d');
    expect(talking.told).to.deep.equal(['d: result']);
    expect(talking.finish('c').told).to.deep.equal(['d: result', 'c: result', 'create']);
  });

  it('waits for the end of the response that called', () => {
    const talking = talk().begin().call('c', 'lookup').finish('c');
    expect(talking.told).to.deep.equal(['c: result']);
    expect(talking.end().told).to.deep.equal(['c: result', 'create']);
  });

  it('waits while somebody else’s response is active, and serves several', () => {
    const talking = talk().begin().call('c', 'lookup').end().begin('s').call('d', 'lookup', 's');
    talking.finish('c').finish('d');
    expect(talking.told).to.deep.equal(['c: result', 'd: result']);
    expect(talking.end('s').end('s').told).to.deep.equal(['c: result', 'd: result', 'create']);
  });

  it('does not wait for calls of another response', () => {
    const talking = talk().begin().call('c', 'lookup').end().begin('s').call('d', 'lookup', 's');
    expect(talking.end('s').finish('d').told).to.deep.equal(['d: result', 'create']);
  });

  it('waits for the response that the client has just asked for', () => {
    const talking = talk().begin().call('c', 'lookup').end().create().finish('c');
    expect(talking.told).to.deep.equal(['their create', 'c: result']);
    expect(talking.begin('s').end('s').told.at(-1)).to.equal('create');
  });

  it('does not wait for a create of the client that was refused', () => {
    const talking = talk().begin().call('c', 'lookup').end().create().finish('c');
    talking.provider('error', { error: { code: 'x', event_id: 'theirs' } });
    expect(talking.told.at(-1)).to.equal('create');
  });

  const busy = 'conversation_already_has_active_response';
  const refuse = (talking: Conversation, code: string) =>
    talking.provider('error', { error: { code, event_id: talking.sent.at(-1)?.event_id } });

  it('is asked for once more when a response was in the way', () => {
    const talking = talk().begin().call('c', 'lookup').end().finish('c');
    refuse(talking, busy);
    expect(talking.told).to.deep.equal(['c: result', 'create']);
    expect(talking.begin('vad').end('vad').told).to.deep.equal(['c: result', 'create', 'create']);
    refuse(talking, busy).begin('other').end('other');
    expect(talking.told).to.have.length(3);
    expect(talking.of('report')).to.have.length(2);
  });

  it('is not asked for again when the provider refuses it for another reason', () => {
    const talking = talk().begin().call('c', 'lookup').end().finish('c');
    refuse(talking, 'rate_limit_exceeded').begin('s').end('s');
    expect(talking.told).to.deep.equal(['c: result', 'create']);
  });
});

describe('a call of a client tool', () => {
  it('is the client’s to answer, and to follow up', () => {
    const talking = talk().begin().call('m', 'show_map').end().answer('m').create();
    expect(talking.started).to.be.empty;
    expect(talking.told).to.deep.equal(['m: mine', 'their create']);
    expect(talking.of('arm_timer')[0]).to.deep.equal({
      kind: 'arm_timer',
      timer: 'call m',
      milliseconds: 120_000,
    });
    expect(talking.of('disarm_timer').map(({ timer }) => timer)).to.include('call m');
  });

  it('that is not answered in time is answered by the service, and by nobody else later', () => {
    const talking = talk().begin().call('m', 'show_map').end();
    talking.happens({ kind: 'timer.fired', timer: 'call m' });
    const told = 'm: {"error":"The client did not answer this call in time."}';
    expect(talking.told).to.deep.equal([told, 'create']);
    expect(talking.answer('m').refusals).to.deep.equal(['FunctionOutputNotAllowed']);
    talking.happens({ kind: 'timer.fired', timer: 'call m' });
    expect(talking.told).to.have.length(2);
  });
});

describe('a response that calls both kinds of tools', () => {
  const mixed = () => talk().begin().call('c', 'lookup').call('m', 'show_map').end();

  it('is answered by the client’s create, held until the backend outputs are in', () => {
    const talking = mixed().answer('m').create();
    expect(talking.told).to.deep.equal(['m: mine']);
    expect(talking.finish('c').told).to.deep.equal(['m: mine', 'c: result', 'their create']);
  });

  it('is answered by the client’s create when the backend was faster', () => {
    const talking = mixed().finish('c').answer('m');
    expect(talking.told).to.deep.equal(['c: result', 'm: mine']);
    expect(talking.create().told.at(-1)).to.equal('their create');
  });

  it('is answered by the service’s create when the client does not answer', () => {
    const talking = mixed().finish('c').happens({ kind: 'timer.fired', timer: 'call m' });
    expect(talking.told.at(-1)).to.equal('create');
  });

  it('does not hold what the client asks for besides', () => {
    const text = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
    const talking = mixed().client({ type: 'conversation.item.create', item: text }).create();
    expect(talking.told.at(-1)).to.equal('their create');
    talking.begin('s').end('s').answer('m').create().create();
    expect(talking.told.slice(-2)).to.deep.equal(['m: mine', 'their create']);
  });

  it('that is cut off lets the client’s create go', () => {
    const talking = talk().begin().call('c', 'lookup').call('m', 'show_map').answer('m').create();
    expect(talking.told).to.deep.equal(['m: mine']);
    expect(talking.end('r', 'cancelled').told).to.deep.equal(['m: mine', 'their create']);
  });
});

describe('an approval', () => {
  const waiting = () => talk().begin().call('c', 'lookup').end().ask({ id: 'a', callId: 'inner' });
  const approve = { type: 'approval.approve', callId: 'inner' };

  it('decides about a call inside the call, once', () => {
    const talking = waiting().client(approve).client(approve);
    expect(talking.of('decide_call')).to.deep.equal([
      { kind: 'decide_call', approvalId: 'a', approve: true },
    ]);
    expect(talking.refusals).to.deep.equal(['ApprovalNotWaiting']);
    expect(talking.sent).to.be.empty;
  });

  it('that comes too late is told, and not decided again', () => {
    const talking = waiting().client(approve);
    talking.happens({ kind: 'decision.refused', approvalId: 'a', because: 'late' });
    expect(talking.client(approve).refusals).to.deep.equal([
      'ApprovalNotWaiting',
      'ApprovalNotWaiting',
    ]);
  });

  it('that could not be stored can be sent again', () => {
    const talking = waiting().client(approve);
    talking.happens({ kind: 'decision.refused', approvalId: 'a', because: 'unavailable' });
    expect(talking.of('tell_error').map(({ code }) => code)).to.deep.equal(['DecisionNotStored']);
    expect(talking.client(approve).of('decide_call')).to.have.length(2);
  });

  it('is over with its call', () => {
    const talking = waiting().finish('c').client(approve);
    expect(talking.refusals).to.deep.equal(['ApprovalNotWaiting']);
  });
});

describe('the idle timer', () => {
  const idle = (talking: Conversation) =>
    talking.effects.flatMap((effect) =>
      'timer' in effect && effect.timer === 'idle' ? [effect.kind] : [],
    );

  it('rests while any call is open', () => {
    const talking = talk().begin().call('c', 'lookup').call('m', 'show_map').finish('c');
    expect(idle(talking)).to.deep.equal(['disarm_timer']);
    expect(idle(talking.answer('m'))).to.deep.equal(['disarm_timer', 'arm_timer']);
  });

  it('begins anew when a client tool’s response is cut off', () => {
    const talking = talk().begin().call('m', 'show_map').end('r', 'cancelled');
    expect(idle(talking)).to.deep.equal(['disarm_timer', 'arm_timer']);
  });
});

describe('what a call tells', () => {
  it('goes to the client as it is', () => {
    const input: Input = { kind: 'call.told', event: '{"type":"approval.waiting"}' };
    expect(step(talk().state, input).effects).to.deep.equal([
      { kind: 'send_client', frame: { data: '{"type":"approval.waiting"}', binary: false } },
    ]);
  });
});

describe('a call of a session that this one continues', () => {
  const made = { callId: 'c', itemId: 'item_c', name: 'lookup', arguments: '{}', position: 5 };
  const asked = { deadline: '2030-01-31T10:00:00.000Z', approvers: ['client' as const] };
  const adopted = ['c', 'd'].map((callId) => ({
    ...{ ...made, callId, itemId: `item_${callId}`, id: `id ${callId}` },
    ...{ messageId: `message ${callId}`, asked },
  }));
  const restored = { ...settings, resumeGraceSeconds: 30, isRestored: true, adopted };
  const frame = text({ type: 'session.updated', session: {} });
  const updated = { kind: 'provider.frame', route: 'session', frame, now: 1 } as const;
  const opened = () => step({ ...openSession(restored).state, phase: 'configuring' }, updated);
  const sent = (effects: readonly Effect[]) =>
    effects.flatMap((effect) =>
      effect.kind === 'send_provider' ? [JSON.parse(String(effect.frame.data)) as Sent] : [],
    );
  type Sent = { type: string; item?: { type: string; id: string; call_id: string } };

  it('is told to the provider without its output, and goes on when the session runs', () => {
    const { effects } = opened();
    expect(sent(effects).map(({ item }) => [item?.type, item?.id, item?.call_id])).to.deep.equal([
      ['function_call', 'item_c', 'c'],
      ['function_call', 'item_d', 'd'],
    ]);
    const calls = effects.flatMap((effect) => (effect.kind === 'adopt_call' ? [effect.call] : []));
    expect(calls).to.deep.equal(adopted);
    expect(effects).not.to.deep.include({ kind: 'arm_timer', timer: 'idle', milliseconds: 60_000 });
  });

  it('keeps its place among what was said before and since', () => {
    const said = (content: string, position: number) =>
      ({ kind: 'message', role: 'user', content, position }) as const;
    const history = [said('before', 4), said('since', 6)];
    const state = openSession({ ...restored, history }).state;
    const { effects } = step({ ...state, phase: 'configuring' }, updated);
    expect(sent(effects).map(({ item }) => item?.type)).to.deep.equal([
      ...['message', 'function_call', 'function_call', 'message'],
    ]);
  });

  it('is not announced again when the provider acknowledges it', () => {
    const item = { id: 'item_c', type: 'function_call', call_id: 'c', name: 'lookup' };
    const added = text({ type: 'conversation.item.added', item });
    const input = { kind: 'provider.frame', route: 'slot', frame: added, now: 2 } as const;
    expect(step(opened().state, input).effects).to.be.empty;
  });

  it('is answered, and the agent asked to go on once all of them are', () => {
    const first = step(opened().state, { kind: 'call.finished', callId: 'c', output: 'one' });
    expect(sent(first.effects).map(({ type }) => type)).to.deep.equal(['conversation.item.create']);
    const both = step(first.state, { kind: 'call.finished', callId: 'd', output: 'two' });
    expect(sent(both.effects).map(({ type }) => type)).to.deep.equal([
      ...['conversation.item.create', 'response.create'],
    ]);
  });

  it('is decided by the client like any other', () => {
    const asked = { id: 'id c', callId: 'c', approvers: ['client' as const] };
    const waiting = step(opened().state, { kind: 'call.told', event: '{}', asked });
    const decision = text({ type: 'approval.approve', callId: 'c' });
    const input = { kind: 'client.frame', route: 'approval', frame: decision, now: 3 } as const;
    const [decide] = step(waiting.state, input).effects;
    expect(decide).to.include({ kind: 'decide_call', approvalId: 'id c', approve: true });
  });

  it('is left to another pod if the client vanishes, or the pod drains, before it runs', () => {
    const opening = openSession(restored).state;
    for (const kind of ['client.lost', 'drain.requested'] as const)
      expect(step(opening, { kind }).effects).to.deep.equal([{ kind: 'hand_over' }]);
    const first = openSession({ ...restored, isRestored: false }).state;
    expect(step(first, { kind: 'client.lost' }).effects).to.deep.equal([{ kind: 'hang_up' }]);
  });
});
