import { expect } from 'chai';
import { clientRoute } from '#src/core/client-routes.js';
import type { fieldRules } from '#src/core/session-fields.js';
import type { SessionState } from '#src/core/session.js';
import { merging, Session, tool } from './merging.js';
import { running, text } from './settings.js';

const spoken: SessionState = { ...merging, spoken: true };
const speaking: SessionState = {
  ...merging,
  turn: { ...merging.turn, active: new Set(['r']) },
};
const traced: SessionState = {
  ...merging,
  overrides: { ...merging.overrides, fields: new Map([['tracing', 'auto']]) },
};
const input = (fields: object) => ({ audio: { input: fields } });
const output = (fields: object) => ({ audio: { output: fields } });
const server = { type: 'server_vad', threshold: 0.4, create_response: false };

/** What is asked, and what the provider gets of it: the same, something else, or nothing, which is noticed or not. */
type Row = { given?: SessionState; when: object; then?: object; left?: string[] };
const same = (when: object): Row => ({ when, then: when });
const left = (when: object, ...fields: string[]): Row => ({ when, left: fields });
const silent = (when: object, given?: SessionState): Row => ({ when, ...(given && { given }) });

const rows: Record<keyof typeof fieldRules, Row[]> = {
  type: [silent({ type: 'realtime' }), left({ type: 'transcription' }, 'type')],
  model: [
    left({ model: 'gpt-realtime-2' }, 'model'),
    silent({ model: 'gpt-realtime' }),
    silent({ model: running.settings.agentId }),
    silent({ model: null }),
  ],
  instructions: [
    left({ instructions: 'Sing.' }, 'instructions'),
    left({ instructions: '' }, 'instructions'),
    silent({ instructions: 'Be kind.\n\nBe brief.' }),
    silent({ instructions: null }),
  ],
  prompt: [left({ prompt: { id: 'p' } }, 'prompt'), silent({ prompt: null })],
  tools: [
    left({ tools: 'all' }, 'tools'),
    left({ tools: { 0: tool('x') } }, 'tools'),
    silent({ tools: null }),
  ],
  tool_choice: [
    left({ tool_choice: 'required' }, 'tool_choice'),
    left({ tool_choice: { type: 'function', name: 'lookup' } }, 'tool_choice'),
    silent({ tool_choice: 'auto' }),
  ],
  output_modalities: [
    same({ output_modalities: ['text'] }),
    same({ output_modalities: ['audio'] }),
    { when: { modalities: ['text', 'audio'] }, then: { output_modalities: ['audio'] } },
    { when: { modalities: ['text'] }, then: { output_modalities: ['text'] } },
    left({ output_modalities: ['video'] }, 'output_modalities'),
    left({ output_modalities: [] }, 'output_modalities'),
    left({ modalities: 'text' }, 'modalities'),
    silent({ output_modalities: null }),
  ],
  max_output_tokens: [
    same({ max_output_tokens: 'inf' }),
    { when: { max_response_output_tokens: 9 }, then: { max_output_tokens: 9 } },
    left({ max_output_tokens: 4097 }, 'max_output_tokens'),
  ],
  tracing: [
    same({ tracing: 'auto' }),
    same({ tracing: { workflow_name: 'w', metadata: { a: '1' } } }),
    same({ tracing: null }),
    left({ tracing: 'loud' }, 'tracing'),
    { given: traced, ...left({ tracing: { group_id: 'g' } }, 'tracing') },
    silent({ tracing: 'auto' }, traced),
  ],
  'audio.input.format': [
    silent(input({ format: { type: 'audio/pcm', rate: 24000 } })),
    silent(input({ format: { type: 'audio/pcm' } })),
    silent({ input_audio_format: 'pcm16' }),
    left(input({ format: { type: 'audio/pcmu' } }), 'audio.input.format'),
    left(input({ format: { type: 'audio/pcm', rate: 8000 } }), 'audio.input.format'),
    left({ input_audio_format: 'g711_ulaw' }, 'input_audio_format'),
  ],
  'audio.input.transcription': [
    same(input({ transcription: { model: 'whisper-1', language: 'de' } })),
    {
      when: input({ transcription: { language: 'de', prompt: null } }),
      then: input({ transcription: { model: 'gpt-4o-mini-transcribe', language: 'de' } }),
    },
    {
      when: { input_audio_transcription: { model: 'whisper-1' } },
      then: input({ transcription: { model: 'whisper-1' } }),
    },
    silent(input({ transcription: null })),
    left(input({ transcription: { model: 7 } }), 'audio.input.transcription'),
    left(input({ transcription: { speed: 1 } }), 'audio.input.transcription'),
  ],
  'audio.input.noise_reduction': [
    same(input({ noise_reduction: { type: 'far_field' } })),
    same(input({ noise_reduction: null })),
    {
      when: { input_audio_noise_reduction: { type: 'near_field' } },
      then: input({ noise_reduction: { type: 'near_field' } }),
    },
    left(input({ noise_reduction: { type: 'total' } }), 'audio.input.noise_reduction'),
  ],
  'audio.input.turn_detection': [
    same(input({ turn_detection: server })),
    same(input({ turn_detection: { type: 'semantic_vad', eagerness: 'low' } })),
    same(input({ turn_detection: null })),
    { when: { turn_detection: null }, then: input({ turn_detection: null }) },
    { when: { turn_detection: { type: 'none' } }, then: input({ turn_detection: null }) },
    { when: { turn_detection: server }, then: input({ turn_detection: server }) },
    {
      when: input({ turn_detection: { ...server, idle_timeout_ms: null } }),
      then: input({ turn_detection: server }),
    },
    left({ turn_detection: { type: 'psychic' } }, 'turn_detection'),
    left({ turn_detection: [] }, 'turn_detection'),
    left(
      input({ turn_detection: { type: 'semantic_vad', threshold: 1 } }),
      'audio.input.turn_detection',
    ),
    left(
      input({ turn_detection: { type: 'server_vad', threshold: 2 } }),
      'audio.input.turn_detection',
    ),
  ],
  'audio.output.format': [
    silent(output({ format: { type: 'audio/pcmu' } })),
    silent({ output_audio_format: 'g711_ulaw' }),
    left(output({ format: { type: 'audio/pcm', rate: 24000 } }), 'audio.output.format'),
    left(output({ format: 'constructor' }), 'audio.output.format'),
  ],
  'audio.output.voice': [
    same(output({ voice: 'cedar' })),
    same(output({ voice: { id: 'voice_1' } })),
    { when: { voice: 'cedar' }, then: output({ voice: 'cedar' }) },
    left(output({ voice: 7 }), 'audio.output.voice'),
    left({ voice: '' }, 'voice'),
    silent({ voice: null }),
    { given: spoken, ...left(output({ voice: 'cedar' }), 'audio.output.voice') },
    silent(output({ voice: 'marin' }), spoken),
  ],
  'audio.output.speed': [
    same(output({ speed: 1.25 })),
    { when: { speed: 0.5 }, then: output({ speed: 0.5 }) },
    left(output({ speed: 3 }), 'audio.output.speed'),
    { given: speaking, ...left(output({ speed: 1.25 }), 'audio.output.speed') },
  ],
};

describe('a session.update that is merged', () => {
  for (const [field, cases] of Object.entries(rows))
    describe(`asks for ${field}`, () => {
      for (const { given = merging, when, then = {}, left: fields = [] } of cases)
        it(`${JSON.stringify(when)} with the notice [${fields.join()}]`, () => {
          const session = new Session(given).update(when);
          expect(session.asked).to.deep.equal([{ type: 'realtime', ...then }]);
          expect(session.left).to.deep.equal(fields);
        });
    });

  it('names what is in no table, and sends none of it', () => {
    const session = new Session().update({
      temperature: 1,
      reasoning: {},
      audio: { input: { Turn_Detection: null, gain: 2 }, extra: 1, output: null },
      constructor: 1,
      include: null,
    });
    expect(session.asked).to.deep.equal([{ type: 'realtime' }]);
    expect(session.left).to.deep.equal([
      'temperature',
      'reasoning',
      'constructor',
      'audio.input.gain',
      'audio.extra',
    ]);
  });

  it('takes the present name of a field before the former one', () => {
    const session = new Session().update({ voice: 'ash', ...output({ voice: 'cedar' }) });
    expect(session.asked).to.deep.equal([{ type: 'realtime', ...output({ voice: 'cedar' }) }]);
    expect(session.left).to.deep.equal(['voice']);
    expect(new Session().update({ voice: 'ash', ...output({ voice: 'ash' }) }).left).to.be.empty;
  });

  it('goes to the provider under the client’s own id', () => {
    const session = new Session().update({}, { event_id: 'mine', instructions: 'Sing.' });
    const event = { type: 'session.update', event_id: 'mine', session: { type: 'realtime' } };
    expect(session.sent).to.deep.equal([event]);
  });

  it('is judged in a binary frame as in text', () => {
    const event = { type: 'session.update', session: { voice: 'ash', instructions: 'Sing.' } };
    const { data } = text(event);
    const route = clientRoute(data, true);
    const frame = { data, binary: true };
    const session = new Session().happens({ kind: 'client.frame', route, frame, now: 0 });
    expect(session.asked).to.deep.equal([{ type: 'realtime', ...output({ voice: 'ash' }) }]);
    expect(session.of('send_provider')[0]?.frame.binary).to.equal(false);
    expect(session.left).to.deep.equal(['instructions']);
  });

  it('names at most a hundred fields, and not all of a long name', () => {
    const names = Array.from({ length: 500 }, (_, n) => [`${n} ${'x'.repeat(200)}`, n]);
    const session = new Session().update(Object.fromEntries(names));
    expect(session.left).to.have.length(100);
    expect(session.left[0]).to.have.length(100);
  });

  it('keeps the voice once the agent has been heard', () => {
    const session = new Session().provider('response.output_audio.delta', { delta: 'AAAA' });
    expect(session.update({ voice: 'ash' }).left).to.deep.equal(['voice']);
  });
});
