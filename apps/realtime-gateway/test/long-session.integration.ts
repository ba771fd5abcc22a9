import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { ToolScene } from './support/tool-scene.js';
import type { Event } from './support/test-client.js';

/** Ten renewals, twenty seconds each, with PROOF_SCALE=1, which `npm run proofs` sets. */
const whole = process.env['PROOF_SCALE'] === '1';
const renewals = whole ? 10 : 3;
const sessionSeconds = whole ? 20 : 4;

describe('a conversation that is longer than its provider’s sessions', function () {
  this.timeout(1_200_000);
  let scene: ToolScene;
  before(async () => {
    scene = await ToolScene.open({ sessionSeconds, thinkMs: whole ? 200 : 20 });
    await scene.begin();
  });
  after(() => scene.stage.close());

  const renewed = () => scene.client.events.filter(({ type }) => type === 'session.renewed');
  const afterRenewal = async () => {
    const before = renewed().length;
    await waitFor(() => renewed().length > before, { what: 'a renewal', timeoutMs: 60_000 });
  };
  const answers = () =>
    scene.client.events
      .filter(({ type }) => type === 'response.output_audio_transcript.done')
      .map(({ transcript }) => String(transcript));
  const ends = () =>
    scene.client.events
      .filter(({ type }) => type === 'response.done')
      .map(({ response }) => response as { id: string; status: string });
  const soundOf = (id: string) =>
    scene.client.events.filter(
      (event: Event) => event.type === 'response.output_audio.delta' && event['response_id'] === id,
    ).length;

  /** The sound of each answer in these words, frame by frame. */
  const soundsOf = (words: string) =>
    scene.client.events
      .filter(
        ({ type, transcript }) =>
          type === 'response.output_audio_transcript.done' && transcript === words,
      )
      .map(({ response_id: id }) =>
        scene.client.events.flatMap(({ type, response_id, delta }) =>
          type === 'response.output_audio.delta' && response_id === id ? [delta] : [],
        ),
      );
  /** Events of a response between whose first and last one there was a renewal. */
  const renewedWithin = () => {
    let active = 0;
    return scene.client.events.filter(({ type }) => {
      if (type === 'response.created') active += 1;
      if (type === 'response.done') active -= 1;
      return type === 'session.renewed' && active > 0;
    });
  };

  it('loses no turn, no sound, no call and no approval', async () => {
    const asked: string[] = [];
    const ask = async (words: string) => {
      const count = answers().length;
      scene.say(`!say ${words}`);
      asked.push(words);
      await waitFor(() => answers().length > count, { what: words });
    };
    const chat = async (until: () => boolean) => {
      while (!until()) await ask(`This is answer ${1000 + asked.length}.`);
    };
    const chatAcross = async () => {
      const before = renewed().length;
      await chat(() => renewed().length > before);
    };

    const same = 'These words sound the same each time.';
    await ask(same);
    scene.say('!call pay {"amount":5}');
    const { callId } = await scene.dataOf('approval.waiting');
    await chatAcross();
    await ask(same);
    scene.client.send({ type: 'approval.approve', callId });
    await scene.said(/pay returned: Paid/);

    scene.say('!call slow {}');
    await waitFor(() => scene.server.calls('/slow').length === 1, { what: 'the call' });
    await afterRenewal();
    scene.server.release();
    await scene.said(/slow returned: at last/);

    await chat(() => renewed().length >= renewals);
    await ask(same);
    const sounds = soundsOf(same);
    expect(sounds).to.have.length(3);
    expect(sounds[0]).to.not.be.empty;
    for (const sound of sounds) expect(sound).to.deep.equal(sounds[0]);
    expect(renewedWithin()).to.be.empty;

    const isTool = (words: string) => words.includes('returned');
    expect(answers().filter((words) => !isTool(words))).to.deep.equal(asked);
    expect(answers().filter(isTool)).to.have.length(2);
    expect(scene.server.calls('/paid')).to.have.length(1);
    expect(scene.server.calls('/slow')).to.have.length(1);
    for (const { data } of renewed())
      expect(data).to.deep.equal({ reason: 'expiring', connectionId: null });
    expect(scene.client.events.filter(({ type }) => type === 'error')).to.deep.equal([]);
    expect(ends().filter(({ status }) => status !== 'completed')).to.deep.equal([]);
    const silent = ends().filter(({ id }) => soundOf(id) === 0);
    expect(silent).to.have.length(2);
    await scene.client.leave();
    const record = await scene.conversation.said(2 * asked.length + 6);
    expect(record.filter((line) => /^assistant: (This|These) /.test(line))).to.deep.equal(
      asked.map((words) => `assistant: ${words}`),
    );
  });
});
