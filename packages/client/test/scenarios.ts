import {
  ParleyError,
  RealtimeSession,
  type ConnectOptions,
  type CreateSession,
  type Traffic,
} from '@parley/client';

/**
 * What a session does, with the real service behind it: run as they are on Node and in a browser. Each returns plain data, which the suites
 * compare with what is expected.
 */
export type Place = { readonly baseUrl: string; readonly backend: string };

type Scenario = { readonly run: (place: Place) => Promise<unknown>; readonly expected: unknown };

const create =
  ({ backend }: Place): CreateSession =>
  async (request, { signal }) => {
    const response = await fetch(`${backend}/session`, {
      method: 'POST',
      body: JSON.stringify(request),
      signal,
    });
    return (await response.json()) as { webSocketPath: string };
  };

function connect(place: Place, options: Partial<ConnectOptions> = {}): Promise<RealtimeSession> {
  return RealtimeSession.connect({ create: create(place), baseUrl: place.baseUrl, ...options });
}

/** Resolves when it is so, looking whenever the session tells of something. */
function until(session: RealtimeSession, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      for (const stop of listening) stop();
      resolve();
    };
    const listening = [session.onChange(look), session.on('*', look)];
    look();
  });
}

/** A whole turn: until the agent has answered and nothing waits any more. */
async function ask(session: RealtimeSession, text: string): Promise<string> {
  const before = session.messages.length;
  session.sendText(text);
  await until(session, () => session.messages.length >= before + 2 && session.activity === 'idle');
  return session.messages.at(-1)?.text ?? '';
}

const lines = ({ messages }: RealtimeSession) =>
  messages.map(({ role, text, interrupted }) => `${role}: ${text}${interrupted ? ' …' : ''}`);

/** What a function throws. */
async function thrown(what: () => unknown): Promise<unknown> {
  try {
    await what();
    return 'nothing';
  } catch (error) {
    if (!(error instanceof ParleyError)) return error;
    return error.reason === undefined ? error.code : `${error.code} ${error.reason}`;
  }
}

const showMap = (shown: string[]) => ({
  description: 'Shows a city on the map.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  execute: ({ city }: { city: string }) => {
    shown.push(city);
    return { shown: city };
  },
});

export const scenarios = {
  'shows an observer every event, both ways and from the first one on': {
    async run(place) {
      const seen: Traffic[] = [];
      const session = await connect(place, { observe: (traffic) => void seen.push(traffic) });
      await ask(session, '!say Seen.');
      session.close();
      const of = (way: boolean) =>
        seen.flatMap(({ sent, event }) => (sent === way ? event.type : []));
      return [of(true), of(false)[0], of(false).includes('response.done')];
    },
    expected: [['conversation.item.create', 'response.create'], 'session.created', true],
  },

  'answers what is typed, and keeps the words in spoken order': {
    async run(place) {
      const session = await connect(place);
      const states = [session.state];
      session.on('state', ({ state }) => states.push(state));
      await ask(session, '!say Good morning.');
      await ask(session, '!say And good night.');
      const said = lines(session);
      session.close();
      return { said, states };
    },
    expected: {
      said: [
        'user: !say Good morning.',
        'assistant: Good morning.',
        'user: !say And good night.',
        'assistant: And good night.',
      ],
      states: ['open', 'closed'],
    },
  },

  'runs client tools, in parallel, and tells the model what they answer, refuse, throw or let wait':
    {
      async run(place) {
        const shown: string[] = [];
        const strict = {
          '~standard': {
            jsonSchema: {
              input: () => ({ type: 'object', properties: { n: { type: 'number' } } }),
            },
            validate: (value: { n?: unknown }) =>
              typeof value.n === 'number'
                ? { value }
                : { issues: [{ message: 'a number, please', path: ['n'] }] },
          },
        };
        const tools = {
          show_map: showMap(shown),
          count: { description: 'Counts.', parameters: strict, execute: () => 'counted' },
          break: { description: 'Breaks.', execute: () => Promise.reject(new Error('It broke')) },
          wait: {
            description: 'Waits.',
            timeoutMs: 20,
            execute: () => new Promise(() => undefined),
          },
        };
        const session = await connect(place, { tools });
        await ask(
          session,
          '!call show_map {"city":"Rome"} !call count {"n":"x"} !call break {} !call wait {}',
        );
        const calls = session.calls.map(({ name, state, output }) => ({ name, state, output }));
        const answers = session.messages.filter(({ role }) => role === 'assistant').length;
        session.close();
        return { shown, calls, answers };
      },
      expected: {
        shown: ['Rome'],
        calls: [
          { name: 'show_map', state: 'done', output: '{"shown":"Rome"}' },
          {
            name: 'count',
            state: 'failed',
            output: '{"error":"The arguments are invalid: n: a number, please"}',
          },
          { name: 'break', state: 'failed', output: '{"error":"It broke"}' },
          { name: 'wait', state: 'failed', output: '{"error":"The tool took longer than 20 ms."}' },
        ],
        answers: 1,
      },
    },

  'answers once when one response calls a client tool and a tool of the agent’s that waits for approval':
    {
      async run(place) {
        const shown: string[] = [];
        const session = await connect(place, { tools: { show_map: showMap(shown) } });
        const states: string[] = [];
        session.on('approval', (approval) => {
          states.push(approval.state);
          if (approval.state !== 'waiting') return;
          states.push(`${approval.call?.title}: ${approval.secondsLeft > 0}`);
          approval.approve();
        });
        await ask(session, '!call show_map {"city":"Oslo"} !call current_time {}');
        const late = await thrown(() => session.approvals[0]?.approve());
        const calls = session.calls
          .map(({ name, origin, state }) => `${origin} ${name} ${state}`)
          .sort();
        const answers = session.messages.filter(({ role }) => role === 'assistant').length;
        session.close();
        return { shown, states, calls, answers, late };
      },
      expected: {
        shown: ['Oslo'],
        states: ['waiting', 'Look at the clock: true', 'approved'],
        calls: ['client show_map done', 'service current_time done'],
        answers: 1,
        late: 'approval-over',
      },
    },

  'rejects a call': {
    async run(place) {
      const session = await connect(place);
      session.on('approval', ({ state, reject }) => {
        if (state === 'waiting') reject();
      });
      const answer = await ask(session, '!call current_time {}');
      const states = session.approvals.map(({ state }) => state);
      session.close();
      return { states, told: answer.includes('rejected') };
    },
    expected: { states: ['rejected'], told: true },
  },

  'answers what is written between the end of a tool and the agent’s answer': {
    async run(place) {
      const session = await connect(place);
      session.on('approval', ({ state, approve }) => {
        if (state === 'waiting') approve();
      });
      session.on('response.function_invocation.done', () => session.sendText('!say Second.'));
      session.sendText('!call current_time {}');
      const isAnswered = () => session.messages.some(({ text }) => text === 'Second.');
      await until(session, () => isAnswered() && session.activity === 'idle');
      session.close();
      return session.messages.at(-1)?.text;
    },
    expected: 'Second.',
  },

  'interrupts the agent, and the next words are answered': {
    async run(place) {
      const session = await connect(place);
      const truncated: unknown[] = [];
      session.on('conversation.item.truncated', ({ item_id }) => truncated.push(item_id));
      session.sendText(
        '!say This is a long answer that nobody wants to hear to its end, so it is cut off soon.',
      );
      await new Promise((resolve) => session.on('audio', resolve));
      session.interrupt();
      await until(session, () => session.activity === 'idle' && truncated.length > 0);
      await ask(session, '!say Short.');
      const [, first, , second] = session.messages;
      const same = truncated[0] === first?.id;
      session.close();
      return { cut: first?.interrupted, same, second: second?.text };
    },
    expected: { cut: true, same: true, second: 'Short.' },
  },

  'reconnects on the same conversation when the connection is lost in the middle of an answer': {
    async run(place) {
      const session = await connect(place);
      const { conversationId } = session;
      const states: string[] = [];
      session.on('state', ({ state, error }) =>
        states.push(error ? `${state} ${error.reason}` : state),
      );
      session.sendText('!say We were just about to !drop');
      await until(session, () => states.length > 0);
      await until(session, () => session.state === 'open');
      await ask(session, '!say Here I am again.');
      const said = session.messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      const kept = session.conversationId === conversationId && conversationId !== undefined;
      const through = [...states];
      session.close();
      return { states: through, said, kept };
    },
    expected: {
      states: ['reconnecting ProviderUnavailable', 'open'],
      said: ['!say We were just about to !drop', '!say Here I am again.'],
      kept: true,
    },
  },

  'says why a session cannot be had': {
    async run(place) {
      const valid = await create(place)(
        { clientTools: [] },
        { signal: new AbortController().signal },
      );
      const { webSocketPath } = valid as { webSocketPath: string };
      const forged = webSocketPath.replace(/sessionId=.{8}/, 'sessionId=AAAAAAAA');
      const broken = () => Promise.reject(new Error('The backend is away'));
      const never = () => new Promise<never>(() => undefined);
      const opened = await RealtimeSession.connect({
        create: () => webSocketPath,
        baseUrl: place.baseUrl,
      });
      opened.close();
      return [
        await thrown(() => connect(place, { create: () => forged })),
        await thrown(() => connect(place, { create: () => webSocketPath })),
        await thrown(() => connect(place, { create: broken })),
        await thrown(() => connect(place, { create: () => ({}) as never })),
        await thrown(() => connect(place, { create: never, timeoutMs: 20 })),
        await thrown(() => connect(place, { create: never, signal: AbortSignal.abort() })),
        await thrown(() =>
          connect(place, { create: () => webSocketPath, baseUrl: 'http://127.0.0.1:9' }),
        ),
      ];
    },
    expected: [
      'refused RealtimeSessionInvalid',
      'token-reused',
      'create-failed',
      'create-failed',
      'connect-timeout',
      'aborted',
      'connect-failed',
    ],
  },

  'throws for wrong use, and says what is wrong': {
    async run(place) {
      const execute = () => 'x';
      const tool = (wrong: object) => connect(place, { tools: { wrong: wrong as never } });
      const session = await connect(place);
      const open = [
        await thrown(() => session.sendText(' ')),
        await thrown(() => session.sendAudio('loud' as never)),
        await thrown(() => session.send({} as never)),
      ];
      session.close();
      session.close();
      return [
        ...open,
        await thrown(() => session.sendText('Hello')),
        await thrown(() => session.sendAudio(new Int16Array(1))),
        await thrown(() => session.interrupt()),
        await thrown(() => RealtimeSession.connect({} as never)),
        await thrown(() => tool({ description: 'x' })),
        await thrown(() => tool({ execute })),
        await thrown(() => tool({ description: 'x', execute, parameters: { type: 'string' } })),
        await thrown(() => tool({ description: 'x', execute, parameters: [] })),
        await thrown(() => tool({ description: 'x', execute, parameters: { '~standard': {} } })),
      ];
    },
    expected: [
      ...Array<string>(3).fill('argument-invalid'),
      ...Array<string>(3).fill('not-open'),
      'argument-invalid',
      ...Array<string>(5).fill('tool-invalid'),
    ],
  },
} as const satisfies Record<string, Scenario>;
