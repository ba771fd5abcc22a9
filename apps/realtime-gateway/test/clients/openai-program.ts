import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { runScenarios } from './client-program.js';
import {
  colourTool,
  isComplete,
  noOutcome,
  speak,
  typed,
  type Connection,
  type Outcome,
  type Scenario,
} from './scenarios.js';

await runScenarios(async (scenario, connection) => {
  const outcome = noOutcome();
  const realtime = dial(connection);
  const done = listen(realtime, scenario, outcome);
  await new Promise((resolve) => realtime.once('session.created', resolve));
  if (scenario === 'clientTool')
    realtime.send({
      type: 'session.update',
      session: { type: 'realtime', tools: [{ type: 'function', ...colourTool }] },
    });
  if (scenario === 'speech') {
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
    const append = (chunk: Uint8Array) => {
      const audio = Buffer.from(chunk).toString('base64');
      realtime.send({ type: 'input_audio_buffer.append', audio });
    };
    await speak(connection.speech, append, pause);
  } else {
    const content = [{ type: 'input_text' as const, text: typed[scenario] }];
    const item = { type: 'message' as const, role: 'user' as const, content };
    realtime.send({ type: 'conversation.item.create', item });
    realtime.send({ type: 'response.create' });
  }
  await done;
  realtime.close();
  return outcome;
});

function dial({ baseUrl, apiKey, model }: Connection): OpenAIRealtimeWS {
  return new OpenAIRealtimeWS({ model }, new OpenAI({ baseURL: baseUrl, apiKey }));
}

function listen(realtime: OpenAIRealtimeWS, scenario: Scenario, outcome: Outcome): Promise<void> {
  realtime.on('error', (error) => outcome.errors.push(error.message));
  realtime.on('response.output_audio_transcript.done', ({ transcript }) =>
    outcome.answers.push(transcript),
  );
  realtime.on('conversation.item.input_audio_transcription.completed', ({ transcript }) =>
    outcome.heard.push(transcript),
  );
  realtime.on('response.function_call_arguments.done', ({ name, arguments: given, call_id }) => {
    outcome.toolCalls.push({ name, arguments: JSON.parse(given) as unknown });
    const item = { type: 'function_call_output' as const, call_id, output: 'blue' };
    realtime.send({ type: 'conversation.item.create', item });
    realtime.send({ type: 'response.create' });
  });
  realtime.on('response.output_audio.delta', ({ delta, item_id }) => {
    outcome.audioBytes += Buffer.from(delta, 'base64').length;
    if (scenario !== 'interruption' || outcome.interrupted) return;
    outcome.interrupted = true;
    realtime.send({ type: 'response.cancel' });
    const cut = { item_id, content_index: 0, audio_end_ms: 50 };
    realtime.send({ type: 'conversation.item.truncate', ...cut });
  });
  return new Promise((resolve) => {
    realtime.on('response.done', () => {
      if (isComplete(scenario, outcome)) resolve();
    });
    setTimeout(() => {
      outcome.errors.push('timed out');
      resolve();
    }, 30_000);
  });
}
