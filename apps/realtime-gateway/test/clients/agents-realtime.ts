import type * as Library from '@openai/agents-realtime';
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

type Event = { type: string; transcript?: string };

/** One scenario in the hands of @openai/agents-realtime: the same in Node and in a browser. */
export async function useAgentsRealtime(
  { RealtimeAgent, RealtimeSession, tool }: typeof Library,
  scenario: Scenario,
  { baseUrl, apiKey, model, speech }: Connection,
): Promise<Outcome> {
  const outcome = noOutcome();
  const colour = tool({
    ...colourTool,
    strict: true,
    execute: (given: unknown) => {
      outcome.toolCalls.push({ name: 'colour', arguments: given });
      return 'blue';
    },
  } as never);
  const agent = new RealtimeAgent({
    name: 'Ada',
    tools: scenario === 'clientTool' ? [colour] : [],
  });
  const session = new RealtimeSession(agent, { transport: 'websocket', model });
  const done = new Promise<void>((resolve) => {
    session.on('transport_event', (event) => {
      const { type, transcript = '' } = event as Event;
      if (type === 'response.output_audio_transcript.done') outcome.answers.push(transcript);
      if (type.endsWith('input_audio_transcription.completed')) outcome.heard.push(transcript);
      if (type === 'error') outcome.errors.push(JSON.stringify(event));
      if (type === 'response.done' && isComplete(scenario, outcome)) resolve();
    });
    session.on('audio', ({ data }) => {
      outcome.audioBytes += data.byteLength;
      if (scenario === 'interruption' && !outcome.interrupted) session.interrupt();
    });
    session.on('audio_interrupted', () => (outcome.interrupted = true));
    setTimeout(() => {
      outcome.errors.push('timed out');
      resolve();
    }, 30_000);
  });
  await session.connect({
    apiKey,
    url: `${baseUrl.replace('http', 'ws')}/realtime?model=${model}`,
  });
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50));
  if (scenario === 'speech')
    await speak(speech, (chunk) => session.sendAudio(chunk.slice().buffer), pause);
  else session.sendMessage(typed[scenario]);
  await done;
  session.close();
  return outcome;
}
