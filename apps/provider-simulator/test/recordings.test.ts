import { expect } from 'chai';
import { pcm24k } from '#src/core/audio-format.js';
import { humText } from '#src/speech/voice.js';
import { describeWithProviderData, recordings, type RecordedLine } from './provider-data.js';
import { collapsed, Rehearsal } from './rehearsal.js';

// What may differ from a recording, and nothing else:
// - Runs of deltas count once, whatever their number: the words are not the same.
// - Transcription events come whenever they are ready, from response.created on; they are compared apart.
// - rate_limits.updated comes after response.done or not at all.
// - The recordings hold the first 33 bytes of each frame of audio. A frame is replayed as 100 ms: a hum from
//   the first loud frame to the last, silence around it.
const transcriptions = 'conversation.item.input_audio_transcription.';

const orderOf = (types: readonly string[]): string[] =>
  collapsed(
    types.filter((type) => type !== 'rate_limits.updated' && !type.startsWith(transcriptions)),
  );

describeWithProviderData('the recordings', (folder) => {
  for (const { name, lines } of recordings(folder)) {
    it(`replay in the recorded order: ${name}`, () => {
      const stage = replay(name, lines);
      const recorded = lines
        .filter(({ from }) => from === 'provider')
        .map(({ event }) => event.type);
      expect(orderOf(stage.types)).to.deep.equal(orderOf(recorded));
    });

    it(`replay with transcription after response.created: ${name}`, () => {
      const stage = replay(name, lines);
      const recorded = lines.filter(({ event }) => event.type === `${transcriptions}completed`);
      expect(stage.all(`${transcriptions}completed`)).to.have.length(recorded.length);
      const firstWord = stage.types.findIndex((type) => type.startsWith(transcriptions));
      if (firstWord >= 0)
        expect(firstWord).to.be.greaterThan(stage.types.indexOf('response.created'));
    });

    it(`replay with the fields of the recorded events: ${name}`, () => {
      const stage = replay(name, lines);
      for (const { from, event } of lines) {
        if (from === 'client') continue;
        const ours = stage.events.find(({ type }) => type === event.type);
        expect(Object.keys(ours ?? {}), event.type).to.have.members(Object.keys(event));
      }
    });
  }
});

function replay(name: string, lines: readonly RecordedLine[]): Rehearsal {
  const stage = new Rehearsal({ azure: name.startsWith('azure') });
  const frames = lines.filter(({ event }) => event.type === 'input_audio_buffer.append');
  const loud = frames.map(({ event }) => isLoud(String(event['audio'])));
  let callId: string | undefined;
  for (const line of lines) {
    if (line.from === 'provider') {
      // The client had seen this event before it went on.
      stage.until(line.event.type as 'response.done');
      if (line.event.type === 'response.done') stage.settle();
      continue;
    }
    if (stage.types.includes('response.function_call_arguments.done'))
      callId = stage.last('response.function_call_arguments.done').call_id;
    const at = frames.indexOf(line);
    if (at < 0) stage.send(withCallId(line.event, callId));
    else stage.stream(frameAt(at, loud));
  }
  return stage.settle();
}

function withCallId(event: Record<string, unknown>, callId: string | undefined): object {
  const item = event['item'] as Record<string, unknown> | undefined;
  return item?.['type'] === 'function_call_output'
    ? { ...event, item: { ...item, call_id: callId } }
    : event;
}

function frameAt(at: number, loud: readonly boolean[]): Buffer {
  const speaking = at >= loud.indexOf(true) && at <= loud.lastIndexOf(true);
  return speaking ? humText('Hello', pcm24k, 100) : Buffer.alloc(4800);
}

function isLoud(audio: string): boolean {
  const bytes = Buffer.from(audio, 'base64');
  const samples = Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(i * 2));
  return Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length) > 500;
}
