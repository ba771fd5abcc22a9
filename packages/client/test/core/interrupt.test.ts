import { expect } from 'chai';
import { Playing, voice } from './playing.js';

const truncate = (item_id: string, audio_end_ms: number) => ({
  type: 'conversation.item.truncate',
  item_id,
  content_index: 0,
  audio_end_ms,
});

describe('an interruption', () => {
  it('cancels the response and truncates to what was heard', () => {
    const playing = new Playing().answers('r1', 'a1', ['One ', 'two ', 'three ', 'four']);
    playing.take({ kind: 'interrupt', heard: { itemId: 'a1', contentIndex: 0, ms: 200.7 } });
    expect(playing.sent).to.deep.equal([
      { type: 'response.cancel', response_id: 'r1' },
      truncate('a1', 200),
    ]);
    expect(playing.effects).to.deep.include({ kind: 'silence' });
    const { message } = playing.core.lines[0]!;
    expect(message).to.include({ interrupted: true, final: true });
    expect(message.text.slice(0, message.heardLength)).to.equal('One two t');
  });

  it('never truncates beyond what has come', () => {
    const playing = new Playing().answers('r1', 'a1', ['One']);
    playing.take({ kind: 'interrupt', heard: { itemId: 'a1', contentIndex: 0, ms: 5_000 } });
    expect(playing.sent.at(-1)).to.deep.equal(truncate('a1', 100));
  });

  for (const heard of [undefined, null])
    it(`counts what has come of an active response as heard where the player says ${String(heard)}`, () => {
      const playing = new Playing().answers('r1', 'a1', ['One ', 'two']);
      playing.take({ kind: 'interrupt', heard });
      expect(playing.sent.at(-1)).to.deep.equal(truncate('a1', 200));
    });

  it('truncates an answer that is complete but not all heard, and what comes after it', () => {
    const playing = new Playing()
      .answers('r1', 'a1', ['One '])
      .ends('r1', 'completed', [{ id: 'a1', type: 'message' }])
      .answers('r2', 'a2', ['Two '])
      .ends('r2', 'completed', [{ id: 'a2', type: 'message' }]);
    playing.take({ kind: 'interrupt', heard: { itemId: 'a1', contentIndex: 0, ms: 40 } });
    expect(playing.sent).to.deep.equal([truncate('a1', 40), truncate('a2', 0)]);
  });

  it('does nothing to an answer that was heard to its end', () => {
    const playing = new Playing()
      .answers('r1', 'a1', ['One'])
      .ends('r1', 'completed', [{ id: 'a1', type: 'message' }]);
    playing.take({ kind: 'interrupt', heard: null });
    expect(playing.sent).to.deep.equal([]);
    expect(playing.lines).to.deep.equal(['assistant: One']);
  });

  it('by the user’s voice leaves the cancelling to the provider', () => {
    const playing = new Playing().answers('r1', 'a1', ['One ', 'two']);
    playing.hear(
      'input_audio_buffer.speech_started',
      {},
      { itemId: 'a1', contentIndex: 0, ms: 120 },
    );
    expect(playing.sent).to.deep.equal([truncate('a1', 120)]);
    expect(playing.core.turn.activity).to.equal('listening');
  });

  it('by voice does not happen where the session is set not to yield', () => {
    const audio = { input: { turn_detection: { type: 'server_vad', interrupt_response: false } } };
    const playing = new Playing()
      .hear('session.updated', { session: { audio } })
      .answers('r1', 'a1', ['One']);
    playing.hear(
      'input_audio_buffer.speech_started',
      {},
      { itemId: 'a1', contentIndex: 0, ms: 50 },
    );
    expect(playing.sent).to.deep.equal([]);
  });

  it('keeps late pieces of the voice from being played', () => {
    const playing = new Playing().answers('r1', 'a1', ['One']);
    playing.take({ kind: 'interrupt', heard: undefined });
    playing.effects = [];
    playing.hear('response.output_audio.delta', {
      response_id: 'r1',
      item_id: 'a1',
      delta: voice(20),
    });
    expect(playing.effects).to.deep.equal([]);
  });

  it('reckons in the format of the session', () => {
    const audio = { input: {}, output: { format: { type: 'audio/pcmu' } } };
    const playing = new Playing().hear('session.updated', { session: { audio } });
    playing.hear('response.created', { response: { id: 'r1' } });
    const delta = Buffer.alloc(800).toString('base64');
    playing.hear('response.output_audio.delta', { response_id: 'r1', item_id: 'a1', delta });
    playing.take({ kind: 'interrupt', heard: undefined });
    expect(playing.sent.at(-1)).to.deep.equal(truncate('a1', 100));
  });
});

describe('an interruption before the response has begun', () => {
  const begins = (playing: Playing, id: string) =>
    playing.hear('response.created', { response: { id } });
  const asked = () => {
    const playing = new Playing().take({ kind: 'text', text: 'Tell me.', heard: undefined });
    playing.sentTypes();
    return playing;
  };
  const interrupted = () => asked().take({ kind: 'interrupt', heard: undefined });
  const busy = { error: { code: 'conversation_already_has_active_response', message: 'busy' } };
  const cancel = (id: string) => ({ type: 'response.cancel', response_id: id });

  it('cancels and mutes it when it begins, and asks for no other', () => {
    const playing = begins(interrupted(), 'r1');
    expect(playing.sent).to.deep.equal([cancel('r1')]);
    playing.effects = [];
    const of = { response_id: 'r1', item_id: 'a1', delta: voice(20) };
    playing.hear('response.output_audio.delta', of).ends('r1', 'cancelled');
    const kinds = playing.effects.map(({ kind }) => kind);
    expect(kinds).to.not.include('play').and.not.include('send');
    expect(playing.core.turn.activity).to.equal('idle');
  });

  it('does not affect the answer to what is said next', () => {
    const playing = begins(interrupted(), 'r1').ends('r1', 'cancelled');
    playing.take({ kind: 'commit' });
    begins(playing, 'r2');
    expect(playing.sent.filter(({ type }) => type === 'response.cancel')).to.deep.equal([
      cancel('r1'),
    ]);
  });

  it('still cancels it if something else is said meanwhile, which is answered then', () => {
    const playing = interrupted().take({ kind: 'commit' });
    begins(playing, 'r1').sentTypes();
    playing.hear('error', busy);
    expect(playing.sent).to.deep.equal([cancel('r1')]);
    playing.sentTypes();
    playing.ends('r1', 'cancelled');
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });

  for (const order of ['before', 'after'])
    it(`cancels one of the service that is in the way and announced ${order} the refusal`, () => {
      const playing = interrupted();
      if (order === 'before') begins(playing, 's1').hear('error', busy);
      else begins(playing.hear('error', busy), 's1');
      playing.ends('s1', 'cancelled');
      expect(playing.sent).to.deep.equal([cancel('s1')]);
    });

  it('is forgotten when the user speaks', () => {
    const playing = interrupted().hear('input_audio_buffer.speech_started');
    playing.hear('input_audio_buffer.committed', { item_id: 'u1' });
    expect(begins(playing, 'r1').sent).to.deep.equal([]);
  });
});

describe('while the user holds the button', () => {
  const held = () => new Playing().take({ kind: 'talking', talking: true });

  it('no response is asked for', () => {
    const playing = held().take({ kind: 'text', text: 'Hello', heard: undefined });
    expect(playing.sentTypes()).to.deep.equal(['conversation.item.create']);
    playing.take({ kind: 'talking', talking: false });
    expect(playing.sentTypes()).to.deep.equal(['response.create']);
  });

  it('a response that begins is cancelled and muted', () => {
    const playing = held().answers('r1', 'a1', ['One']);
    expect(playing.sentTypes()).to.deep.equal(['response.cancel']);
    expect(playing.core.turn.muted).to.deep.equal(['r1']);
  });
});
