import { RealtimeSession, type CreatedSession } from '@parley/client';
import { connectAudio, type SessionAudio } from '@parley/client/audio';
import type { Recording } from './audio/tap.js';

/** What the microphone hears is a file: nothing of the browser's may change it. */
const microphone = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

async function open(baseUrl: string): Promise<{ session: RealtimeSession; audio: SessionAudio }> {
  const session = await RealtimeSession.connect({
    baseUrl,
    create: async (request) => {
      const answer = await fetch('/session', { method: 'POST', body: JSON.stringify(request) });
      return (await answer.json()) as CreatedSession;
    },
  });
  return { session, audio: await connectAudio(session, { microphone }) };
}

/** Keeps every sample that the speaker renders. */
async function tapped({ speaker }: SessionAudio): Promise<(awaited: object) => Promise<Recording>> {
  const { output } = speaker!;
  await output.context.audioWorklet.addModule('/tap.js');
  const tap = new AudioWorkletNode(output.context, 'tap');
  output.connect(tap).connect(output.context.destination);
  return (awaited) =>
    new Promise((resolve) => {
      tap.port.onmessage = ({ data }: MessageEvent<Recording>) => resolve(data);
      tap.port.postMessage(awaited);
    });
}

const next = (session: RealtimeSession, type: string) =>
  new Promise<Readonly<Record<string, unknown>>>((resolve) => {
    const stop = session.on(type, (event) => {
      stop();
      resolve(event);
    });
  });

/** The user speaks once; what the agent says is heard to its end. */
export async function spokenTurn(baseUrl: string) {
  const { session, audio } = await open(baseUrl);
  const recording = await tapped(audio);
  const sent: number[] = [];
  session.on('audio', (chunk) => sent.push(...new Int16Array(chunk.audio.buffer)));
  await next(session, 'response.done');
  const rate = audio.speaker!.output.context.sampleRate;
  // The sound itself has pauses: all of it has passed when nothing waits any more.
  const played = await new Promise<Recording>((resolve) => {
    const look = () => {
      if (audio.speaker!.heard()) setTimeout(look, 20);
      else void recording({}).then(resolve);
    };
    look();
  });
  const messages = session.messages.map(({ role, text, final }) => ({ role, text, final }));
  session.close();
  return { messages, sent, rate, samples: [...played.samples], closed: audio.closed };
}

/** The agent speaks, and the user does while it does. */
export async function bargeIn(baseUrl: string) {
  const { session, audio } = await open(baseUrl);
  const recording = await tapped(audio);
  const { context } = audio.speaker!.output;
  const sent: number[] = [];
  session.on('audio', (chunk) => sent.push(...new Int16Array(chunk.audio.buffer)));
  const speech = next(session, 'input_audio_buffer.speech_started').then(() => ({
    frame: Math.round(context.currentTime * context.sampleRate),
    latency: (context as AudioContext).outputLatency,
  }));
  const truncated = next(session, 'conversation.item.truncated');
  // No part of it sounds like another.
  session.sendText(
    '!say Apples, bread, cheese, dates, eggs, flour, ginger, honey, ice, jam, kale, lemons, milk, nuts, oil, pears, quinces and rice.',
  );
  const stopped = await speech;
  const { audio_end_ms: heardMs } = await truncated;
  const { samples, firstFrame } = await recording({
    frame: stopped.frame + context.sampleRate / 2,
  });
  const [, answer] = session.messages;
  session.close();
  return {
    answer: { interrupted: answer!.interrupted, share: answer!.heardLength / answer!.text.length },
    heardMs: Number(heardMs),
    stopped,
    firstFrame,
    rate: context.sampleRate,
    sent,
    samples: [...samples],
  };
}
