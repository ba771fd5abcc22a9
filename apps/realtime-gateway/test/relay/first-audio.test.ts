import { expect } from 'chai';
import { FirstAudio } from '#src/relay/first-audio.js';

describe('the wait for the agent’s voice', () => {
  let waits: number[];
  let clock: FirstAudio;

  beforeEach(() => {
    waits = [];
    clock = new FirstAudio((seconds) => waits.push(seconds));
  });

  it('lasts from the end of the user’s speech to the first piece of audio', () => {
    clock.fromProvider('turn', 1000);
    clock.fromProvider('slot', 1100);
    for (const now of [1500, 1600]) clock.fromProvider('audio', now);
    expect(waits).to.deep.equal([0.5]);
  });

  it('begins with the client’s response.create where it comes later', () => {
    clock.fromProvider('turn', 1000);
    clock.fromClient('response', 3000);
    clock.fromClient('forward', 3100);
    clock.fromProvider('audio', 3250);
    expect(waits).to.deep.equal([0.25]);
  });

  it('begins anew when the user speaks again, and ends once per turn', () => {
    for (const [turn, audio] of [
      [0, 1000],
      [5000, 5500],
    ] as const) {
      clock.fromProvider('turn', turn);
      clock.fromProvider('audio', audio);
    }
    expect(waits).to.deep.equal([1, 0.5]);
  });

  it('is not known of a voice that nobody asked for', () => {
    clock.fromProvider('audio', 1000);
    expect(waits).to.deep.equal([]);
  });
});
