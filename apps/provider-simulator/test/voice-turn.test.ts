import { expect } from 'chai';
import { spokenAudio } from '#src/spoken-audio.js';
import { collapsed, Rehearsal } from './rehearsal.js';

const transcribing = { audio: { input: { transcription: { model: 'gpt-4o-mini-transcribe' } } } };
const hello = spokenAudio('hello there', { milliseconds: 600 });

const answerOrder = [
  'response.created',
  'response.output_item.added',
  'conversation.item.added',
  'response.content_part.added',
  'deltas',
  'response.output_audio.done',
  'response.output_audio_transcript.done',
  'response.content_part.done',
  'conversation.item.done',
  'response.output_item.done',
  'response.done',
  'rate_limits.updated',
];

describe('a spoken turn', () => {
  it('is found by its loudness, committed and answered in the recorded order', () => {
    const stage = new Rehearsal().stream(hello).settle();
    expect(collapsed(stage.types)).to.deep.equal([
      'session.created',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
      ...answerOrder,
    ]);
  });

  it('has one item id from its start to its transcript', () => {
    const stage = new Rehearsal().update(transcribing).stream(hello).settle();
    const { item_id } = stage.last('input_audio_buffer.speech_started');
    expect(stage.last('input_audio_buffer.speech_stopped').item_id).to.equal(item_id);
    expect(stage.last('input_audio_buffer.committed').item_id).to.equal(item_id);
    const completed = stage.last('conversation.item.input_audio_transcription.completed');
    expect(completed).to.include({ item_id, transcript: 'hello there' });
  });

  it('does not depend on how the audio is cut, even within a sample', () => {
    const [whole, cut] = [100_000, 777].map((size) => new Rehearsal().stream(hello, size).settle());
    const speech = (stage: Rehearsal | undefined) => [
      stage?.last('input_audio_buffer.speech_started').audio_start_ms,
      stage?.last('input_audio_buffer.speech_stopped').audio_end_ms,
      stage?.answer,
    ];
    expect(speech(cut)).to.deep.equal(speech(whole));
  });

  it('ends after more quiet when the semantic detector is patient', () => {
    const endWith = (turn_detection: object) =>
      new Rehearsal()
        .update({ audio: { input: { turn_detection } } })
        .stream(spokenAudio('hello', { milliseconds: 600, silenceMs: 1500 }))
        .last('input_audio_buffer.speech_stopped').audio_end_ms;
    const eager = endWith({ type: 'semantic_vad', eagerness: 'high' });
    const patient = endWith({ type: 'semantic_vad', eagerness: 'low' });
    expect(patient - eager).to.equal(700);
  });

  for (const type of ['audio/pcmu', 'audio/pcma'] as const)
    it(`is understood in ${type}`, () => {
      const format = { type };
      const stage = new Rehearsal().update({ audio: { input: { format }, output: { format } } });
      stage.stream(spokenAudio('thank you', { format, milliseconds: 600 }), 160).settle();
      expect(stage.answer).to.equal('You are welcome. Talk to you soon!');
    });

  it('is told by its length when the voice is not our own', () => {
    const noise = Buffer.alloc(48_000);
    for (let i = 0; i < noise.length; i += 2) noise.writeInt16LE(i % 4 === 0 ? 6000 : -6000, i);
    const stage = new Rehearsal()
      .update(transcribing)
      .stream(noise)
      .stream(Buffer.alloc(24_000))
      .settle();
    const { transcript } = stage.last('conversation.item.input_audio_transcription.completed');
    expect(transcript).to.match(/^\(1\.\d seconds of speech\)$/);
    expect(stage.answer).to.include('seconds of speech');
  });

  it('is not answered when create_response is off', () => {
    const turn_detection = { type: 'server_vad', create_response: false };
    const stage = new Rehearsal()
      .update({ audio: { input: { turn_detection } } })
      .stream(hello)
      .settle();
    expect(stage.types)
      .to.include('input_audio_buffer.committed')
      .and.not.include('response.created');
  });

  it('is committed by hand when turn detection is off', () => {
    const stage = new Rehearsal()
      .update({ audio: { input: { turn_detection: null } } })
      .stream(hello);
    expect(stage.types).to.deep.equal(['session.created', 'session.updated']);
    stage.send({ type: 'input_audio_buffer.commit' }).settle();
    expect(stage.types.slice(2)).to.deep.equal([
      'input_audio_buffer.committed',
      'conversation.item.added',
      'conversation.item.done',
    ]);
    stage.send({ type: 'response.create' }).settle();
    expect(stage.answer).to.include('Hello');
  });

  it('can be thrown away', () => {
    const stage = new Rehearsal()
      .update({ audio: { input: { turn_detection: null } } })
      .stream(hello);
    stage.send({ type: 'input_audio_buffer.clear' }, { type: 'input_audio_buffer.commit' });
    expect(stage.types.slice(2)).to.deep.equal(['input_audio_buffer.cleared', 'error']);
    expect(stage.last('error').error.code).to.equal('input_audio_buffer_commit_empty');
  });
});

describe('transcription', () => {
  const say = (text: string) =>
    new Rehearsal().update(transcribing).stream(spokenAudio(text, { milliseconds: 900 }));

  it('interleaves with the answer, after response.created', () => {
    const { types } = say('hello there my friend').settle();
    const at = types.indexOf('conversation.item.input_audio_transcription.completed');
    expect(at).to.be.greaterThan(types.indexOf('response.created'));
    expect(at).to.be.lessThan(types.indexOf('response.done'));
  });

  it('can come after the answer', () => {
    const { types } = say('!say yes !late 20000').settle();
    const at = types.indexOf('conversation.item.input_audio_transcription.completed');
    expect(at).to.be.greaterThan(types.indexOf('response.done'));
  });

  it('can fail, and the answer comes all the same', () => {
    const stage = say('!say yes !untranscribed audio_unintelligible').settle();
    const failed = stage.last('conversation.item.input_audio_transcription.failed');
    expect(failed.error).to.include({ code: 'audio_unintelligible', param: null });
    expect(stage.answer).to.equal('yes');
  });

  it('fails every time where the deployment is missing', () => {
    const stage = new Rehearsal({ transcription: 'deployment-missing' })
      .update(transcribing)
      .stream(hello)
      .settle();
    const failed = stage.last('conversation.item.input_audio_transcription.failed');
    expect(failed.error.code).to.equal('DeploymentNotFound');
  });

  it('is billed by time for whisper and by token otherwise', () => {
    const usage = (model: string) =>
      new Rehearsal()
        .update({ audio: { input: { transcription: { model } } } })
        .stream(hello)
        .settle()
        .last('conversation.item.input_audio_transcription.completed').usage;
    expect(usage('whisper-1')).to.deep.equal({ type: 'duration', seconds: 1 });
    expect(usage('gpt-4o-transcribe')).to.include({ type: 'tokens', output_tokens: 3 });
  });
});

describe('interruption', () => {
  const interrupted = () =>
    new Rehearsal()
      .ask('!say one two three four five six seven eight nine ten')
      .until('response.output_audio.delta');

  it('ends the answer as cancelled and its item as incomplete', () => {
    const stage = interrupted();
    const before = stage.events.length;
    stage.stream(spokenAudio('stop', { milliseconds: 400, silenceMs: 0 }));
    expect(stage.types.slice(before)).to.deep.equal([
      'input_audio_buffer.speech_started',
      'response.output_audio.done',
      'response.output_audio_transcript.done',
      'response.content_part.done',
      'conversation.item.done',
      'response.output_item.done',
      'response.done',
      'rate_limits.updated',
    ]);
    const { response } = stage.last('response.done');
    expect(response.status_details).to.deep.equal({ type: 'cancelled', reason: 'turn_detected' });
    expect(stage.last('response.output_item.done').item).to.include({ status: 'incomplete' });
    expect(response.usage?.output_tokens).to.be.greaterThan(0);
  });

  it('sends nothing more of the cancelled answer', () => {
    const stage = interrupted().stream(spokenAudio('stop', { milliseconds: 400, silenceMs: 0 }));
    const before = stage.events.length;
    stage.settle();
    expect(stage.types.slice(before)).to.deep.equal([]);
  });

  it('is answered once the user is quiet again', () => {
    const stage = interrupted()
      .stream(spokenAudio('thank you', { milliseconds: 400 }))
      .settle();
    expect(stage.answer).to.include('welcome');
  });

  it('does not happen when interrupt_response is off', () => {
    const turn_detection = {
      type: 'server_vad',
      interrupt_response: false,
      create_response: false,
    };
    const stage = new Rehearsal()
      .update({ audio: { input: { turn_detection } } })
      .ask('!say one two three four')
      .stream(hello)
      .settle();
    expect(stage.last('response.done').response.status).to.equal('completed');
  });
});

describe('the idle timeout', () => {
  const turn_detection = { type: 'server_vad', idle_timeout_ms: 5000 };

  it('makes the model ask when nobody speaks', () => {
    const stage = new Rehearsal().update({ audio: { input: { turn_detection } } }).ask('hello');
    stage.until('input_audio_buffer.timeout_triggered').until('response.done').advance(3000);
    expect(stage.answer).to.equal('Are you still there?');
  });

  it('is called off when somebody speaks', () => {
    const stage = new Rehearsal().update({ audio: { input: { turn_detection } } }).ask('hello');
    stage.until('response.done').stream(spokenAudio('wait', { milliseconds: 400, silenceMs: 0 }));
    expect(stage.timers).to.deep.equal(['expire']);
  });
});
