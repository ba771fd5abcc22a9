// Between them these scenes send every event that the simulator can send.
import { spokenAudio } from '#src/spoken-audio.js';
import { Rehearsal, weatherTool } from './rehearsal.js';

const transcription = { model: 'gpt-4o-mini-transcribe' };
const speech = (text: string) => spokenAudio(text, { milliseconds: 600 });

export const scenarios: Record<string, () => Rehearsal> = {
  'a spoken turn': () =>
    new Rehearsal()
      .update({ audio: { input: { transcription, noise_reduction: { type: 'near_field' } } } })
      .stream(speech('hello there'))
      .settle(),
  'a spoken turn with whisper': () =>
    new Rehearsal()
      .update({ audio: { input: { transcription: { model: 'whisper-1', language: 'en' } } } })
      .stream(speech('hello there'))
      .settle(),
  'a failed transcription': () =>
    new Rehearsal({ transcription: 'deployment-missing' })
      .update({ audio: { input: { transcription } } })
      .stream(speech('hello there'))
      .settle(),
  'a written turn': () =>
    new Rehearsal()
      .update({ output_modalities: ['text'] })
      .ask('hello')
      .settle(),
  'a tool call and its output': () => {
    const stage = new Rehearsal().update({ tools: [weatherTool], tool_choice: 'required' });
    stage.ask('What is the weather in London?').settle();
    const { call_id } = stage.last('response.function_call_arguments.done');
    const item = { type: 'function_call_output', call_id, output: '{"text":"foggy"}' };
    return stage
      .send({ type: 'conversation.item.create', item }, { type: 'response.create' })
      .settle();
  },
  'parallel calls and speech': () =>
    new Rehearsal().ask('!say a moment !call a {} !call b {}').settle(),
  'an interruption': () =>
    new Rehearsal()
      .ask('!say one two three four five')
      .until('response.output_audio.delta')
      .stream(speech('stop')),
  'a cancellation': () =>
    new Rehearsal()
      .ask('!say one two three')
      .until('response.output_audio.delta')
      .send({ type: 'response.cancel' }),
  'a failure': () => new Rehearsal().ask('!fail insufficient_quota').settle(),
  'an incomplete answer': () =>
    new Rehearsal().ask('!say one two !incomplete content_filter').settle(),
  'an aside': () =>
    new Rehearsal().ask('hello', { conversation: 'none', metadata: { topic: 'aside' } }).settle(),
  'edited items': () => {
    const stage = new Rehearsal().stream(speech('hello there')).settle();
    const user = stage.last('input_audio_buffer.committed').item_id;
    const assistant = stage.last('response.output_item.done').item.id;
    return stage.send(
      {
        type: 'conversation.item.truncate',
        item_id: assistant,
        content_index: 0,
        audio_end_ms: 100,
      },
      { type: 'conversation.item.retrieve', item_id: assistant },
      { type: 'conversation.item.retrieve', item_id: user },
      { type: 'conversation.item.delete', item_id: user },
    );
  },
  'a buffer thrown away': () => new Rehearsal().send({ type: 'input_audio_buffer.clear' }),
  'an idle user': () => {
    const turn_detection = { type: 'server_vad', idle_timeout_ms: 5000 };
    const stage = new Rehearsal().update({ audio: { input: { turn_detection } } }).ask('hello');
    return stage.until('input_audio_buffer.timeout_triggered').advance(3000);
  },
  'refused frames': () =>
    new Rehearsal().sendText('{').send({ type: 'nonsense', event_id: 'mine' }),
  'a session update with everything': () =>
    new Rehearsal().update({
      output_modalities: ['audio'],
      instructions: '',
      tools: [weatherTool],
      tool_choice: { type: 'function', name: 'get_weather' },
      max_output_tokens: 100,
      truncation: { type: 'retention_ratio', retention_ratio: 0.5 },
      tracing: 'auto',
      prompt: { id: 'pmpt_1', version: null },
      include: ['item.input_audio_transcription.logprobs'],
      audio: {
        input: { format: { type: 'audio/pcmu' }, turn_detection: { type: 'semantic_vad' } },
        output: { format: { type: 'audio/pcma' }, voice: { id: 'voice_1' }, speed: 1.5 },
      },
    }),
  'the end of the session': () => new Rehearsal().ask('!expire').settle(),
};
