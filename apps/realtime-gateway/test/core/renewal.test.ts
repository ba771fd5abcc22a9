import { expect } from 'chai';
import type { PastItem } from '@parley/protocol';
import type { Effect, Input } from '#src/core/session.js';
import { Conversation } from './conversation.js';
import { answer, answered, item, start, transcribed, typed } from './dialogue.js';
import { running, settings } from './settings.js';

type Told = { type: string; response?: { id: string; status: string }; data?: object };

/** A session whose provider may fail. */
class Renewed extends Conversation {
  constructor(more: Partial<typeof settings> = {}) {
    super();
    this.state = { ...running, settings: { ...settings, providerRenewals: 3, ...more } };
  }

  /** Everything so far is over: only what follows counts. */
  from(): this {
    this.effects.length = 0;
    return this;
  }

  lose(code = 1006): this {
    return this.happens({ kind: 'provider.closed', code, reason: '' });
  }

  /** The new side is ready for the conversation. */
  greet(session: object = {}): this {
    return this.provider('session.created', { session }).provider('session.updated', { session });
  }

  remember(...past: PastItem[]): this {
    return this.happens({ kind: 'record.read', leg: this.state.side.leg, past });
  }

  renew(...past: PastItem[]): this {
    this.lose();
    if (this.state.side.renewal?.step === 'waiting') this.fire('redial');
    return this.greet().remember(...past);
  }

  fire(timer: Extract<Input, { kind: 'timer.fired' }>['timer']): this {
    return this.happens({ kind: 'timer.fired', timer });
  }

  get toClient(): Told[] {
    return this.of('send_client').map(({ frame }) => JSON.parse(String(frame.data)) as Told);
  }

  get types(): string[] {
    return this.toClient.map(({ type }) => type);
  }

  get kinds(): Effect['kind'][] {
    return this.effects.map(({ kind }) => kind);
  }

  get kindsButTimers(): Effect['kind'][] {
    return this.kinds.filter((kind) => !kind.endsWith('timer'));
  }

  /** What the provider was told since, without what configures it. */
  get replayed(): object[] {
    return this.sent
      .filter(({ type }) => type !== 'session.update')
      .map(({ type, item }) => item ?? { type });
  }
}

const said = (itemId: string, content: string, position = 1): PastItem => ({
  ...{ kind: 'message', itemId, position, role: 'user', content },
});
const userItem = (id: string, text: string) => ({
  ...{ id, type: 'message', role: 'user' },
  content: [{ type: 'input_text', text }],
});
const sound = [{ type: 'input_audio', transcript: null }];

describe('a session whose provider’s side ends', () => {
  it('pauses the client and dials anew', () => {
    const session = new Renewed().lose();
    expect(session.state.phase).to.equal('renewing');
    expect(session.kindsButTimers).to.deep.equal([...['pause_client', 'leave_provider', 'dial']]);
    expect(session.state.side).to.include({ leg: 2, via: 0, renewals: 1 });
  });

  it('is not idle until the client is read again, and no call is open', () => {
    const idle = (session: Renewed) =>
      session.effects.flatMap((effect) =>
        'timer' in effect && effect.timer === 'idle' ? [effect.kind] : [],
      );
    const session = new Renewed().lose();
    expect(idle(session)).to.deep.equal(['disarm_timer']);
    expect(idle(session.from().greet().remember())).to.deep.equal(['arm_timer']);
    const calling = new Renewed();
    calling.begin().call('c', 'lookup').end();
    expect(idle(calling.from().renew())).to.be.empty;
    expect(idle(calling.finish('c'))).to.deep.equal(['arm_timer']);
  });

  it('tells the new side everything, and the client only that there is one', () => {
    const session = new Renewed().from().renew(said('u', 'Hello.'));
    expect(session.replayed).to.deep.equal([userItem('u', 'Hello.')]);
    expect(session.toClient).to.deep.equal([
      { type: 'session.renewed', data: { reason: 'closed', connectionId: null } },
    ]);
    expect(session.kindsButTimers.at(-1)).to.equal('renewed');
    expect(session.state.phase).to.equal('running');
  });

  it('configures the new side as the client has changed it', () => {
    const merging = { clientOverrides: 'merge' } as const;
    const session = new Renewed(merging)
      .client({ type: 'session.update', session: { max_output_tokens: 5 } })
      .from()
      .lose()
      .greet();
    expect(session.sent[0]).to.have.nested.property('session.max_output_tokens', 5);
    expect(session.sent[0]).to.have.nested.property('session.model', settings.model);
  });

  it('configures it as the provider has accepted, if the client may change everything', () => {
    const session = new Renewed({ clientOverrides: 'allow' })
      .client({
        type: 'session.update',
        session: { instructions: 'Sing.', max_output_tokens: -1, model: 'other', id: 'mine' },
      })
      .provider('session.updated', { session: { instructions: 'Sing.', model: 'other', id: 'x' } })
      .from()
      .lose()
      .greet();
    const update = session.sent[0] as { session?: object };
    expect(update.session).to.include({ instructions: 'Sing.', model: settings.model });
    expect(update.session).not.to.have.any.keys('max_output_tokens', 'id');
  });

  it('hears nothing of the side that it left', () => {
    const session = new Renewed().lose().from();
    const frame = { data: Buffer.from('{"type":"response.created"}'), binary: false };
    const late = { kind: 'provider.frame', leg: 1, route: 'beginning', frame, now: 0 } as const;
    session.happens(late).happens({ kind: 'provider.closed', leg: 1, code: 1000, reason: '' });
    session.greet().remember().happens(late);
    expect(session.types).to.deep.equal(['session.renewed']);
    expect(session.state.turn.active.size).to.equal(0);
  });

  it('does not tell the client that replayed items were taken', () => {
    const session = new Renewed().renew(said('u', 'Hello.')).from();
    const more = { previous_item_id: null, ...item('u', 'user') };
    session.provider('conversation.item.added', more).provider('conversation.item.done', more);
    expect(session.effects).to.deep.equal([]);
    session.provider('conversation.item.added', item('v', 'user'));
    expect(session.types).to.deep.equal(['conversation.item.added']);
    expect(session.state.side.echoes.size).to.equal(0);
  });

  it('lets a message be acknowledged that was typed right before, whoever names it', () => {
    for (const named of [{}, { id: 'mine' }]) {
      const session = new Renewed().client(typed('Hello?', named));
      const { position } = session.messages[0]!;
      const past: PastItem = { kind: 'message', position, role: 'user', content: 'Hello?' };
      const stored = 'id' in named ? { ...past, itemId: named.id } : past;
      session.from().renew(stored);
      expect(session.replayed[0]).to.have.property('type', 'message');
      expect(session.replayed[0]).to.deep.include(named);
      if (!('id' in named)) expect(session.replayed[0]).not.to.have.property('id');
      const taken = { item: { id: 'mine', ...typed('Hello?').item } };
      session.from().provider('conversation.item.added', taken);
      expect(session.types).to.deep.equal(['conversation.item.added']);
      expect(session.state.ledger.slots).to.have.length(1);
    }
  });

  it('forgets what the client has removed', () => {
    const session = new Renewed()
      .client({ type: 'conversation.item.delete', item_id: 'u' })
      .from()
      .renew(said('u', 'Forget this.'), said('v', 'Not this.'));
    expect(session.replayed).to.deep.equal([userItem('v', 'Not this.')]);
  });
});

describe('an answer whose provider is lost', () => {
  const speaking = () =>
    new Renewed().begin().provider('conversation.item.added', item('a', 'assistant'));

  it('ends for the client, and is asked for again', () => {
    const session = speaking().lose();
    expect(session.toClient.at(-1)).to.deep.include({ type: 'response.done' });
    expect(session.toClient.at(-1)!.response).to.include({ id: 'r', status: 'cancelled' });
    expect(session.messages).to.have.length(1);
    expect(session.messages[0]).to.include({ content: '', status: 'failed', interrupted: true });
    session.from().greet().remember(said('u', 'Hello.'));
    expect(session.replayed).to.deep.equal([userItem('u', 'Hello.'), { type: 'response.create' }]);
    expect(session.kindsButTimers.slice(-2)).to.deep.equal(['renewed', 'send_provider']);
  });

  it('keeps its place before the one that replaces it', () => {
    const added = 'conversation.item.added';
    const afterUser = (id: string) => ({ previous_item_id: 'u', ...item(id, 'assistant') });
    const session = new Renewed().provider(added, { previous_item_id: null, ...item('u', 'user') });
    session.begin().provider(added, afterUser('a')).renew();
    session.provider(added, afterUser('b')).provider(answered, { ...answer, item_id: 'b' });
    expect(session.said).to.deep.equal(['assistant: ', 'assistant: Hello.']);
  });

  it('is not asked for a third time', () => {
    const session = speaking().renew().begin('s').from().renew();
    expect(session.replayed).to.deep.equal([]);
    session.begin('t').end('t').begin('v').from().renew();
    expect(session.replayed).to.deep.equal([{ type: 'response.create' }]);
  });

  it('is asked for as the client asked', () => {
    const response = { output_modalities: ['text'] };
    const session = new Renewed({ clientOverrides: 'merge' })
      .client({ type: 'response.create', event_id: 'mine', response })
      .begin()
      .from()
      .renew();
    expect(session.sent.at(-1)).to.deep.equal({
      ...{ type: 'response.create', event_id: 'mine', response },
    });
  });

  it('is asked for if it had not begun', () => {
    for (const spoken of [
      new Renewed().speak().stop().provider(transcribed, { item_id: 'u', transcript: 'Hi.' }),
      new Renewed().create(),
    ]) {
      expect(spoken.from().renew().replayed).to.deep.equal([{ type: 'response.create' }]);
      expect(spoken.types).to.deep.equal(['session.renewed']);
    }
  });

  it('is not asked for when nobody waits for one', () => {
    expect(new Renewed().begin().end().from().renew().replayed).to.deep.equal([]);
  });

  it('outside the conversation ends for the client', () => {
    const session = new Renewed()
      .client({ type: 'response.create', response: { conversation: 'none' } })
      .begin('aside', { conversation_id: null })
      .from()
      .renew();
    expect(session.types).to.deep.equal(['response.done', 'session.renewed']);
    expect(session.replayed).to.deep.equal([]);
  });

  it('leaves no words awaited from the former side', () => {
    const session = new Renewed()
      .provider('conversation.item.added', item('u', 'user', sound))
      .lose();
    expect(session.messages[0]).to.include({ role: 'user', itemId: 'u', status: 'failed' });
    session.happens({ kind: 'drain.requested' });
    expect(session.messages).to.have.length(1);
  });
});

describe('a call that is open while the provider’s side is renewed', () => {
  const calling = () => new Renewed().begin().call('c', 'lookup');
  const callItem = {
    ...{ id: 'item_c', type: 'function_call', call_id: 'c', name: 'lookup' },
    arguments: '{ "q": 1 }',
  };
  const output = (id: string, text = 'result') => ({
    ...{ id, type: 'function_call_output', call_id: 'c', output: text },
  });

  it('goes on, and its output is sent once, to the new side, before one create', () => {
    const session = calling().end().from().renew();
    expect(session.replayed).to.deep.equal([callItem]);
    expect(session.of('cancel_calls')).to.deep.equal([]);
    session.from().finish('c');
    expect(session.told).to.deep.equal(['c: result', 'create']);
  });

  it('may finish meanwhile', () => {
    const session = calling().end().lose().from().finish('c');
    expect(session.sent).to.deep.equal([]);
    const past: PastItem = {
      ...{ kind: 'call', itemId: 'item_c', callId: 'c', name: 'lookup' },
      ...{ arguments: '{}', output: 'result' },
    };
    session.greet().from().remember(past);
    const [call, sent, create] = session.replayed;
    expect(call).to.deep.equal(callItem);
    expect(sent).to.include({ call_id: 'c', output: 'result' });
    expect(create).to.deep.equal({ type: 'response.create' });
    expect(session.replayed).to.have.length(3);
  });

  it('of a response that was cut off goes on, too, and that is not asked for before', () => {
    const session = calling().from().renew();
    expect(session.types).to.deep.equal(['response.done', 'session.renewed']);
    expect(session.replayed).to.deep.equal([callItem]);
    session.from().finish('c');
    expect(session.told).to.deep.equal(['c: result', 'create']);
  });

  it('is replayed with its output, under the ids of both, once it is answered', () => {
    const session = calling().end().finish('c');
    const { outputId } = session.state.calls.get('c')!;
    expect(session.sent[0]!.item).to.include({ id: outputId });
    const past: PastItem = {
      ...{ kind: 'call', itemId: 'item_c', callId: 'c', name: 'lookup' },
      ...{ arguments: '{}', output: 'result' },
    };
    session.from().renew(past);
    expect(session.replayed).to.deep.equal([
      { ...callItem, arguments: '{}' },
      output(outputId!),
      { type: 'response.create' },
    ]);
  });

  it('may wait for a decision across it', () => {
    const session = calling().end().ask({ id: 'approval', callId: 'c' }).renew().from();
    session.client({ type: 'approval.approve', callId: 'c' });
    expect(session.of('decide_call')).to.have.length(1);
  });

  it('of the client is the client’s to answer, to the new side', () => {
    const session = new Renewed().begin().call('c', 'show_map').end().from().renew();
    expect(session.replayed).to.deep.equal([{ ...callItem, name: 'show_map' }]);
    session.from().answer('c').create();
    expect(session.told).to.deep.equal(['c: mine', 'their create']);
  });

  it('of the client is replayed with the client’s output until that is responded to', () => {
    const session = new Renewed().begin().call('c', 'show_map').end().answer('c').create();
    session.from().renew();
    const [call, given, create] = session.replayed as { id: string }[];
    expect(call).to.deep.equal({ ...callItem, name: 'show_map' });
    expect(given).to.deep.equal(output(given!.id, 'mine'));
    expect(create).to.include({ type: 'response.create' });
    const taken = { item: { id: given!.id, type: 'function_call_output' } };
    session.from().provider('conversation.item.added', taken);
    expect(session.effects).to.deep.equal([]);
    session.begin('s').end('s').from().renew();
    expect(session.replayed).to.deep.equal([]);
  });

  it('ends with its provider if it was not made completely', () => {
    const session = new Renewed().begin().announce('c', 'lookup').from().renew();
    expect(session.replayed).to.deep.equal([{ type: 'response.create' }]);
    expect(session.state.calls.size).to.equal(0);
  });
});

describe('what a client sends during a renewal', () => {
  it('waits, and follows what is replayed', () => {
    const session = new Renewed().lose().from().client(typed('Still there?')).create();
    expect(new Set(session.kinds)).to.deep.equal(new Set(['pause_client']));
    session.greet().from().remember(said('u', 'Hello.'));
    const [replayed, waited, create] = session.sent;
    expect(replayed!.item).to.deep.equal(userItem('u', 'Hello.'));
    expect(waited!.item).to.deep.equal(typed('Still there?').item);
    expect(create).to.include({ type: 'response.create', event_id: 'theirs' });
    expect(session.state.held).to.deep.equal([]);
  });
});

describe('a provider’s side that cannot be renewed', () => {
  const fallback = { connectionIds: ['one', 'two', 'three'] };

  it('is tried on each connection, the current one first, and the next round waits', () => {
    const session = new Renewed(fallback);
    session.state = { ...session.state, side: { ...session.state.side, via: 1 } };
    const vias: number[] = [];
    session.lose();
    for (const fails of [
      { kind: 'provider.refused', reason: 'HTTP 503' },
      { kind: 'provider.closed', code: 1011, reason: '' },
      { kind: 'timer.fired', timer: 'ready' },
    ] as const) {
      vias.push(session.state.side.via);
      session.from().happens(fails);
    }
    expect(vias).to.deep.equal([1, 0, 2]);
    expect(session.of('arm_timer').map(({ timer }) => timer)).to.include('redial');
    expect(session.of('dial')).to.deep.equal([]);
    session.from().fire('redial');
    expect(session.of('dial')).to.have.length(1);
    expect(session.state.side.via).to.equal(1);
    session.greet().remember();
    expect(session.toClient.at(-1)!.data).to.deep.equal({ reason: 'closed', connectionId: 'two' });
  });

  it('has no time to run out while the next round waits', () => {
    const session = new Renewed().lose().from();
    session.happens({ kind: 'provider.refused', reason: 'HTTP 503' });
    expect(session.state.side.renewal?.step).to.equal('waiting');
    expect(session.of('disarm_timer').map(({ timer }) => timer)).to.include('ready');
    session.from().fire('redial');
    expect(session.of('arm_timer').map(({ timer }) => timer)).to.include('ready');
  });

  it('has failed once, whatever else its socket says', () => {
    const session = new Renewed().lose();
    const { leg } = session.state.side;
    session.happens({ kind: 'provider.refused', leg, reason: 'HTTP 503' });
    const { renewals } = session.state.side;
    session.happens({ kind: 'provider.closed', leg, code: 1006, reason: '' });
    expect(session.state.side).to.include({ renewals });
    expect(session.of('not_renewed')).to.have.length(1);
  });

  it('ends the session after so many rounds in a minute, with the provider’s last words', () => {
    const session = new Renewed().lose();
    const refused = { kind: 'provider.refused', reason: 'HTTP 503' } as const;
    session.happens(refused).fire('redial').happens(refused).fire('redial').happens(refused);
    expect(session.of('close')[0]).to.include({ name: 'ProviderUnavailable' });
    expect(session.of('close')[0]!.message).to.match(/HTTP 503$/);
    expect(session.of('not_renewed').map(({ failure }) => failure)).to.deep.equal([
      ...['refused', 'refused', 'refused'],
    ]);
  });

  it('ends the session with the code and the words of the provider’s error, if it has any', () => {
    const toldAfter = (error: object) => {
      const session = new Renewed({ providerRenewals: 1 }).lose().provider('error', { error });
      return session.of('close')[0]?.message;
    };
    expect(toldAfter({ code: 'x', message: 'Broken.' })).to.match(/: x: Broken\.$/);
    expect(toldAfter({})).to.match(/: it gave no reason$/);
  });

  it('ends the session at its next failure in the same minute, and not later', () => {
    const session = new Renewed().renew().renew().renew();
    expect(session.state.phase).to.equal('running');
    const { side } = session.state;
    expect(side.renewals).to.equal(3);
    const [first] = session.of('arm_timer').filter(({ timer }) => timer.startsWith('renewal '));
    const late = new Renewed();
    late.state = session.state;
    expect(session.lose().state.phase).to.equal('closed');
    expect(late.fire(first!.timer).lose().state.phase).to.equal('renewing');
  });

  it('is not even tried when the provider refuses to continue, or renewals are turned off', () => {
    for (const session of [
      new Renewed().lose(3000),
      new Renewed().lose(1008),
      new Renewed({ providerRenewals: 0 }).lose(),
    ])
      expect(session.of('close')[0]).to.include({ name: 'ProviderUnavailable' });
  });

  it('is tried again when the record cannot be read', () => {
    const session = new Renewed().lose().greet().from();
    session.happens({ kind: 'record.unread', leg: session.state.side.leg });
    expect(session.of('not_renewed')).to.deep.equal([{ kind: 'not_renewed', failure: 'record' }]);
    expect(session.fire('redial').state.side.leg).to.equal(3);
  });

  for (const kind of ['provider.silent', 'provider.stalled'] as const)
    it(`is renewed after ${kind}`, () => {
      const session = new Renewed().happens({ kind }).greet().remember();
      expect(session.toClient.at(-1)!.data).to.include({ reason: kind.slice('provider.'.length) });
    });
});

describe('a session that is longer than the provider allows', () => {
  const soon = start / 1000 + 20;
  const opened = (more: Partial<typeof settings> = {}) => {
    const session = new Renewed(more);
    session.state = { ...session.state, phase: 'configuring' };
    return session.provider('session.updated', { session: { expires_at: soon } });
  };

  it('arms a renewal, within half of the time left, and no end of its own', () => {
    const timers = new Map(
      opened()
        .of('arm_timer')
        .map((row) => [row.timer, row.milliseconds]),
    );
    expect(timers.get('renew_soon')).to.be.within(9_900, 10_000);
    expect(timers.get('renew_now')).to.be.within(14_900, 15_000);
    expect(timers.get('end')).to.equal(settings.maxSessionSeconds * 1000);
  });

  it('arms none if renewals are off, or its own limit comes first', () => {
    for (const more of [{ providerRenewals: 0 }, { maxSessionSeconds: 10 }]) {
      const timers = opened(more).of('arm_timer');
      expect(timers.filter(({ timer }) => timer.startsWith('renew'))).to.deep.equal([]);
      expect(timers.find(({ timer }) => timer === 'end')!.milliseconds).to.be.at.most(20_000);
    }
  });

  it('is renewed between two responses, and that does not count', () => {
    const session = opened().begin().fire('renew_soon');
    expect(session.state.phase).to.equal('running');
    session.from().end();
    expect(session.state.phase).to.equal('renewing');
    expect(session.types).to.deep.equal(['response.done']);
    session.greet({ expires_at: soon + 20 }).remember();
    expect(session.toClient.at(-1)!.data).to.include({ reason: 'expiring' });
    expect(session.state.side).to.include({ renewals: 0, ripe: 'no' });
    expect(session.of('arm_timer').map(({ timer }) => timer)).to.include('renew_soon');
  });

  it('is renewed at a quiet moment if there is no response, and not while somebody speaks', () => {
    const quiet = opened().fire('renew_soon');
    expect(quiet.state.phase).to.equal('running');
    expect(quiet.fire('renew_now').state.phase).to.equal('renewing');
    const busy = opened().speak().fire('renew_now');
    expect(busy.state.phase).to.equal('running');
    busy.stop().begin();
    expect(busy.state.phase).to.equal('running');
    expect(busy.end().state.phase).to.equal('renewing');
  });

  it('is renewed when the provider says that it is over, and the client is not told of that', () => {
    const session = new Renewed().begin().from();
    session.provider('error', { error: { code: 'session_expired' } });
    expect(session.types).to.deep.equal(['response.done']);
    session.greet().remember();
    expect(session.toClient.at(-1)!.data).to.include({ reason: 'expired' });
  });
});

describe('a session with several connections', () => {
  const opening = () => {
    const session = new Renewed({ connectionIds: ['one', 'two'], providerRenewals: 0 });
    session.state = { ...session.state, phase: 'greeting' };
    return session;
  };
  const refused = { kind: 'provider.refused', reason: 'HTTP 503' } as const;

  it('opens on the next one when one does not take it, each against its own clock', () => {
    for (const fails of [
      refused,
      { kind: 'provider.closed', code: 3000, reason: '' },
      { kind: 'timer.fired', timer: 'ready' },
    ] as const) {
      const session = opening().happens(fails);
      expect(session.kinds).to.deep.equal([
        ...['leave_provider', 'not_connected', 'arm_timer', 'dial'],
      ]);
      expect(session.state.side).to.include({ leg: 2, via: 1 });
    }
  });

  it('greets the client once', () => {
    const session = opening().provider('session.created').provider('error', { error: {} });
    session.greet();
    expect(session.types).to.deep.equal(['session.created', 'session.updated']);
    expect(session.state.phase).to.equal('running');
  });

  it('ends with the last words when none takes it', () => {
    const session = opening().happens(refused).fire('ready');
    expect(session.of('close')[0]).to.include({ name: 'ProviderConnectTimeout' });
  });
});
