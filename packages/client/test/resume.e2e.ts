import { expect } from 'chai';
import { tcpProxy, waitFor, type TcpProxy } from '@parley/testkit';
import {
  RealtimeSession,
  type ClientTool,
  type CreatedSession,
  type StateChange,
} from '@parley/client';
import { Customer } from './support/customer.js';

type Opened = {
  session: RealtimeSession;
  states: string[];
  /** The types of all events that have arrived. */
  seen: ReadonlySet<string>;
  audio: () => number;
};

describe('a session with resume: true', () => {
  let customer: Customer;
  let network: TcpProxy;
  let created = 0;
  before(async () => {
    customer = await Customer.open();
    network = await tcpProxy({ target: customer.parley.credentials.baseUrl });
  });
  after(async () => {
    await network.stop();
    await customer.close();
  });
  beforeEach(() => (created = 0));

  const open = async (tools: Record<string, ClientTool> = {}): Promise<Opened> => {
    const states: string[] = [];
    let bytes = 0;
    const seen = new Set<string>();
    const session = await RealtimeSession.connect({
      baseUrl: network.url,
      resume: true,
      tools,
      observe: ({ sent, event }) => void (sent || seen.add(event.type)),
      create: (request) => {
        created += 1;
        const path = `/Agent/${customer.agentId}/realtime-session`;
        return customer.call('POST', path, request) as Promise<CreatedSession>;
      },
    });
    session.on('state', ({ state, resumed }: StateChange) =>
      states.push(resumed ? `${state}, resumed` : state),
    );
    session.on('audio', ({ audio }) => (bytes += audio.length));
    await waitFor(() => seen.has('session.resumable'), { what: 'the path' });
    return { session, states, seen, audio: () => bytes };
  };
  const answered = (session: RealtimeSession, pattern: RegExp) =>
    waitFor(
      () =>
        session.messages.find(
          ({ final, text, role }) => final && role === 'assistant' && pattern.test(text),
        ),
      { what: `an answer like ${pattern.source}` },
    );

  it('says and hears everything once, wherever its connection is cut', async () => {
    const words = `!say ${'One two three four five six seven eight nine ten. '.repeat(4)}The end.`;
    const whole = await open();
    whole.session.sendText(words);
    const { text } = await answered(whole.session, /The end/);
    await waitFor(() => whole.session.activity === 'idle', { what: 'the end' });
    whole.session.close();

    const { session, states, audio } = await open();
    let cuts = 0;
    session.on('audio', () => {
      // One cut at a time: several sounds may arrive together.
      if (cuts === 3 || states.length < 2 * cuts) return;
      cuts += 1;
      network.cut();
    });
    session.sendText(words);
    const cut = await answered(session, /The end/);
    await waitFor(() => audio() >= whole.audio(), { what: 'the rest of the voice' });
    expect(cut.text).to.equal(text);
    expect(cut.interrupted).to.equal(false);
    expect(audio()).to.equal(whole.audio());
    expect(session.messages.map(({ role }) => role)).to.deep.equal(['user', 'assistant']);
    expect(states).to.deep.equal(
      Array.from({ length: cuts }, () => ['reconnecting', 'open, resumed']).flat(),
    );
    expect([cuts, created]).to.deep.equal([3, 2]);
    session.close();
  });

  it('notices that its connection is dead, although nobody closed it', async () => {
    const { session, states, seen } = await open();
    await waitFor(() => seen.has('session.acknowledged'), { what: 'the first answer' });
    network.strand();
    session.sendText('!say Still here.');
    await answered(session, /Still here/);
    expect(states).to.deep.equal(['reconnecting', 'open, resumed']);
    expect(created).to.equal(1);
    session.close();
  });

  it('answers a call whose tool finished without a connection', async () => {
    const { session, states } = await open({
      locate: {
        description: 'Finds the user.',
        execute: async () => {
          network.refuse();
          network.cut();
          await waitFor(() => session.state === 'reconnecting', { what: 'the cut' });
          setTimeout(() => network.heal(), 10);
          return 'at the harbour';
        },
      },
    });
    session.sendText('!call locate {}');
    await answered(session, /at the harbour/);
    expect(states).to.deep.equal(['reconnecting', 'open, resumed']);
    expect(session.calls.map(({ state }) => state)).to.deep.equal(['done']);
    session.close();
  });

  it('continues in a new session if the old one is over', async () => {
    const { session, states } = await open();
    const { conversationId } = session;
    network.refuse();
    network.cut();
    await waitFor(() => session.state === 'reconnecting', { what: 'the cut' });
    const { items } = (await customer.call('GET', '/RealtimeSession')) as {
      items: { id: string }[];
    };
    for (const { id } of items) await customer.call('DELETE', `/RealtimeSession/${id}`);
    network.heal();
    await waitFor(() => session.state === 'open', { what: 'another session' });
    expect(states).to.deep.equal(['reconnecting', 'reconnecting', 'open']);
    expect([created, session.conversationId]).to.deep.equal([2, conversationId]);
    session.sendText('!say Here again.');
    await answered(session, /Here again/);
    session.close();
  });

  it('is over for good when it is closed, even while it has no connection', async () => {
    const { session, states } = await open();
    network.refuse();
    network.cut();
    await waitFor(() => session.state === 'reconnecting', { what: 'the cut' });
    session.close();
    network.heal();
    expect(states).to.deep.equal(['reconnecting', 'closed']);
    expect(() => session.sendText('Hello?')).to.throw('closed');
  });
});
