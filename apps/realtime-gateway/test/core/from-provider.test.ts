import { expect } from 'chai';
import {
  providerEvents,
  providerRoute,
  providerRoutes,
  type ProviderRoute,
} from '#src/core/provider-routes.js';
import { ownId } from '#src/core/own-ids.js';
import { maxReadBytes } from '#src/core/read-event.js';
import { step } from '#src/core/step.js';
import type { Effect, SessionState } from '#src/core/session.js';
import { codeFor, configuring, greeting, greetingUnlisted, running, text } from './settings.js';

const now = Date.UTC(2026, 0, 1);
const seconds = now / 1000;

/** What happens beside or instead of forwarding: the other effects, in order, by their kind. */
type Row = { given?: SessionState; when: unknown; then: string[] };

const forwarded = ['send_client'];
const recorded = ['send_client', 'record'];
const counted = ['send_client', 'note_usage'];
const started = [
  'send_client',
  'disarm_timer',
  'arm_timer',
  'arm_timer',
  'resume_client',
  'arm_timer',
];
const failed = { type: 'error', error: { type: 'server_error', code: 'x', message: 'Broken.' } };
const ours = { type: 'error', error: { code: 'x', event_id: ownId(codeFor, 'session', 1) } };
const lookalike = { type: 'error', error: { code: 'x', event_id: 'gw_session_1_abcdefghijkl' } };
const theirs = { type: 'error', error: { code: 'x', event_id: 'evt_1' } };

const long = 'x'.repeat(maxReadBytes);

const rows: Record<ProviderRoute, Row[]> = {
  forward: typesOf('forward').map((type) => ({ when: { type }, then: forwarded })),
  mention: typesOf('mention').map((type) => ({ when: { type }, then: forwarded })),
  turn: typesOf('turn').map((type) => ({ when: { type }, then: forwarded })),
  audio: typesOf('audio').map((type) => ({ when: { type, delta: 'AAAA' }, then: forwarded })),
  unknown: [
    { when: { type: 'response.dance' }, then: forwarded },
    { when: 'not JSON', then: forwarded },
    { given: greeting, when: { type: 'hello' }, then: forwarded },
  ],
  binary: [{ when: Buffer.from([0, 255]), then: forwarded }],
  session: [
    { given: greeting, when: { type: 'session.created' }, then: ['send_client', 'send_provider'] },
    {
      given: greetingUnlisted,
      when: { type: 'session.created' },
      then: ['send_client', 'disarm_timer'],
    },
    { given: greeting, when: { type: 'session.updated' }, then: forwarded },
    { given: configuring, when: { type: 'session.created' }, then: forwarded },
    { given: configuring, when: { type: 'session.updated', session: {} }, then: started },
    { when: { type: 'session.updated', session: {} }, then: forwarded },
    { when: '{"type":"session.updated",', then: forwarded },
    { given: greeting, when: { type: 'session.created', long }, then: ['close'] },
    { when: { type: 'session.updated', long }, then: ['close'] },
  ],
  error: [
    { given: greeting, when: failed, then: ['close'] },
    { given: configuring, when: ours, then: ['close'] },
    { when: failed, then: forwarded },
    { when: theirs, then: forwarded },
    { when: lookalike, then: forwarded },
    { when: { type: 'error' }, then: forwarded },
    { when: ours, then: ['report'] },
  ],
  call: Object.entries(providerEvents)
    .filter(([, route]) => route === 'call')
    .map(([type]) => ({ when: { type, item: { type: 'message' } }, then: forwarded })),
  beginning: [
    { when: { type: 'response.created', response: { id: 'r' } }, then: forwarded },
    { when: { type: 'response.created' }, then: forwarded },
  ],
  speech: [{ when: { type: 'input_audio_buffer.cleared' }, then: forwarded }],
  slot: [
    { when: { type: 'conversation.item.added', item: { id: 'i' } }, then: forwarded },
    { when: { type: 'conversation.item.created', item: { id: 'i' } }, then: forwarded },
    { when: { type: 'conversation.item.added' }, then: forwarded },
    { when: { type: 'input_audio_buffer.committed', item_id: 'i' }, then: forwarded },
    { when: { type: 'input_audio_buffer.speech_started', item_id: 'i' }, then: forwarded },
    { when: '{"type":"conversation.item.added",', then: forwarded },
  ],
  transcript: [
    ...typesOf('transcript').map((type) => ({
      when: { type, item_id: 'i', transcript: 'Hi' },
      then: recorded,
    })),
    { when: { type: 'input_audio.transcript.done', text: 'Hi' }, then: recorded },
    { when: { type: 'input_audio.transcript.done', item_id: 'i' }, then: forwarded },
  ],
  answer: typesOf('answer').flatMap((type) => [
    { when: { type, item_id: 'i', transcript: 'Hi' }, then: recorded },
    { when: { type, item_id: 'i', text: 'Hi' }, then: recorded },
    { when: { type, text: 'Hi' }, then: recorded },
    { when: { type, item_id: 'i', text: null }, then: forwarded },
    { when: { type, item_id: 'i', text: 'Hi', long }, then: forwarded },
  ]),
  truncation: [
    { when: { type: 'conversation.item.truncated', item_id: 'i' }, then: forwarded },
    { when: { type: 'conversation.item.truncated' }, then: forwarded },
  ],
  outcome: [
    { when: { type: 'response.done' }, then: forwarded },
    { when: { type: 'response.done', response: { id: 'r', usage: null } }, then: forwarded },
    { when: { type: 'response.done', response: { id: 'r', usage: {} } }, then: counted },
    { when: { type: 'response.done', response: { usage: {} } }, then: forwarded },
  ],
};

function typesOf(route: ProviderRoute): string[] {
  return Object.entries(providerEvents)
    .filter(([, itsRoute]) => itsRoute === route)
    .map(([type]) => type);
}

describe('a frame of the provider', () => {
  for (const route of Object.keys(providerRoutes) as ProviderRoute[]) {
    describe(`by the route "${route}"`, () => {
      it('has a row in the table', () => {
        expect(rows[route]).to.not.be.empty;
      });
      for (const { given = running, when, then } of rows[route]) {
        const binary = Buffer.isBuffer(when);
        const frame = binary ? { data: when, binary } : text(when);
        it(`${given.phase}: ${frame.data.toString().slice(0, 70)} → ${then.join(', ')}`, () => {
          expect(providerRoute(frame.data, binary)).to.equal(route);
          const { effects } = step(given, { kind: 'provider.frame', route, frame, now });
          expect(effects.map((effect) => effect.kind)).to.deep.equal(then);
          if (effects[0]?.kind === 'send_client') expect(effects[0].frame).to.equal(frame);
        });
      }
    });
  }

  it('that refuses the session is told to the client with the provider’s reason', () => {
    const { state, effects } = see(configuring, failed);
    expect(state.phase).to.equal('closed');
    expect(effects).to.deep.equal([
      {
        kind: 'close',
        name: 'ProviderUnavailable',
        message: 'The provider refused the session: x: Broken.',
      },
    ]);
  });
});

describe('the opening of a session', () => {
  it('sends the agent’s settings after session.created', () => {
    const { state, effects } = see(greeting, { type: 'session.created', session: {} });
    expect(state.phase).to.equal('configuring');
    const sent = effects.find((effect) => effect.kind === 'send_provider');
    expect(JSON.parse(String(sent?.frame.data))).to.deep.equal({
      type: 'session.update',
      event_id: ownId(codeFor, 'session', 1),
      session: {
        type: 'realtime',
        model: 'gpt-realtime',
        output_modalities: ['audio'],
        instructions: 'Be kind.\n\nBe brief.',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24000 },
            transcription: { model: 'gpt-4o-mini-transcribe' },
            turn_detection: { type: 'semantic_vad' },
          },
          output: { format: { type: 'audio/pcmu' }, voice: 'marin' },
        },
        tools: [
          {
            type: 'function',
            name: 'lookup',
            description: 'Looks up.',
            parameters: { type: 'object' },
          },
          {
            type: 'function',
            name: 'show_map',
            description: 'Shows a map.',
            parameters: { type: 'object', properties: {} },
          },
        ],
        tool_choice: 'auto',
      },
    });
  });

  const ends: [what: string, expiresAt: unknown, expiring: number, end: number][] = [
    ['our own limit when the provider names none', undefined, 1740, 1800],
    ['our own limit when the provider’s is later', seconds + 3600, 1740, 1800],
    ['the provider’s limit when it is sooner', seconds + 100, 40, 100],
    ['with the notice at once when less than a minute is left', seconds + 30, 0, 30],
    ['our own limit when the provider’s is past', seconds - 1, 1740, 1800],
    ['our own limit when the provider’s is no number', 'soon', 1740, 1800],
  ];
  for (const [what, expiresAt, expiring, end] of ends)
    it(`lasts for ${what}`, () => {
      const { effects } = see(configuring, {
        type: 'session.updated',
        session: { expires_at: expiresAt },
      });
      expect(armed(effects)).to.deep.equal({
        idle: 60_000,
        expiring: expiring * 1000,
        end: end * 1000,
      });
    });

  it('lasts for the provider’s limit when only session.created names it', () => {
    const session = { expires_at: seconds + 100 };
    const { state } = see(greeting, { type: 'session.created', session });
    const { effects } = see(state, { type: 'session.updated', session: {} });
    expect(armed(effects)).to.include({ end: 100_000 });
  });

  it('tells in the notice how many seconds are left', () => {
    const { state } = see(configuring, {
      type: 'session.updated',
      session: { expires_at: seconds + 29.5 },
    });
    const { effects } = step(state, { kind: 'timer.fired', timer: 'expiring' });
    const data =
      '{"type":"session.expiring","data":{"reason":"MaxSessionDuration","secondsLeft":30}}';
    expect(effects).to.deep.equal([{ kind: 'send_client', frame: { data, binary: false } }]);
  });

  const echoes = {
    off: { instructions: 'Be kind.', tools: [{ name: 'lookup' }, { name: 'show_map' }] },
    tools: { instructions: 'Be kind.', tools: [{ name: 'show_map' }] },
    all: { instructions: '', tools: [{ name: 'show_map' }] },
  } as const;
  for (const [redactSessionEcho, session] of Object.entries(echoes))
    it(`shows the agent’s part of the echo where "${redactSessionEcho}" is hidden`, () => {
      const secretive = {
        ...configuring,
        settings: { ...running.settings, redactSessionEcho: redactSessionEcho as 'off' },
      };
      const { effects } = see(secretive, { type: 'session.updated', session: echoes.off });
      const sent = effects.find((effect) => effect.kind === 'send_client');
      expect(JSON.parse(String(sent?.frame.data))).to.deep.equal({
        type: 'session.updated',
        session,
      });
    });
});

function see(state: SessionState, event: object): ReturnType<typeof step> {
  const frame = text(event);
  const route = providerRoute(frame.data, false);
  return step(state, { kind: 'provider.frame', route, frame, now });
}

function armed(effects: readonly Effect[]): Record<string, number> {
  return Object.fromEntries(
    effects.flatMap((effect) =>
      effect.kind === 'arm_timer' ? [[effect.timer, effect.milliseconds]] : [],
    ),
  );
}
