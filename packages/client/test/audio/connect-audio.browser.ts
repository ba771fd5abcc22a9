import { expect } from 'chai';
import { needs } from '@parley/testkit';
import type * as Audio from '#src/audio/index.js';
import type { ParleyError } from '#src/errors.js';
import type { AudioFormat, Player } from '#src/session/player.js';
import { audioBrowser, plain } from './audio-browser.js';

describe('connectAudio', () => {
  needs('chromium');
  const current = audioBrowser();

  it('lets a session hear the user and the user hear the session', async () => {
    const outcome = await current.page.evaluate(async (plain) => {
      const { connectAudio } = await library;
      let player: Player | undefined;
      let sent = 0;
      // Says what it hears.
      const session = {
        state: 'open' as const,
        activity: 'idle' as const,
        inputFormat: 'g711_alaw' as AudioFormat,
        on: () => () => undefined,
        sendAudio: (audio: Int16Array | Uint8Array) => {
          sent += audio.length;
          player?.play({
            itemId: 'echo',
            contentIndex: 0,
            audio: Uint8Array.from(audio),
            format: 'g711_alaw',
          });
        },
        commit: () => undefined,
        interrupt: () => undefined,
        attachPlayer: (attached: Player) => ((player = attached), () => (player = undefined)),
      };
      const audio = await connectAudio(session, { microphone: plain });
      const levels = await new Promise<typeof audio.levels>((resolve) => {
        const end = audio.microphone!.onAudio(() => {
          const { levels } = audio;
          if (Math.min(levels.microphone, levels.speaker) > 0.5) resolve((end(), levels));
        });
      });
      await audio.close();
      return {
        sent,
        levels,
        attached: player !== undefined,
        left: [
          ...opened.tracks.map((one) => one.readyState),
          ...opened.contexts.map((one) => one.state),
        ],
      };
    }, plain);
    expect(outcome.sent).to.be.above(0);
    expect(outcome.levels.speaker).to.be.within(0.5, 1);
    expect(outcome.attached).to.equal(false);
    expect(outcome.left).to.deep.equal(['ended', 'closed', 'closed']);
  });

  it('closes the speaker when there is no microphone', async () => {
    await current.context.clearPermissions();
    const { code, states } = await current.page.evaluate(async () => {
      const { connectAudio } = await library;
      const code = await connectAudio({ inputFormat: 'pcm16' } as Audio.AudioSession).then(
        () => undefined,
        (error: unknown) => (error as ParleyError).code,
      );
      return { code, states: opened.contexts.map(({ state }) => state) };
    });
    expect(code).to.equal('microphone-denied');
    expect(states).to.deep.equal(['closed', 'closed']);
  });

  it('refuses a microphone and a speaker that are closed, and leaves nothing open', async () => {
    const { codes, states } = await current.page.evaluate(async (plain) => {
      const { connectAudio, Microphone, Speaker } = await library;
      const session = { inputFormat: 'pcm16' } as Audio.AudioSession;
      const codes = [];
      for (const closed of ['microphone', 'speaker'] as const) {
        const devices = { microphone: await Microphone.open(plain), speaker: await Speaker.open() };
        await devices[closed].close();
        const refusal = connectAudio(session, devices).then(
          () => undefined,
          (error: unknown) => (error as ParleyError).code,
        );
        codes.push(await refusal);
      }
      return { codes, states: opened.contexts.map(({ state }) => state) };
    }, plain);
    expect(codes).to.deep.equal(['argument-invalid', 'argument-invalid']);
    expect(states).to.deep.equal(Array(4).fill('closed'));
  });
});
