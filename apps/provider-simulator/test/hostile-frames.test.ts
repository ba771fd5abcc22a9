import { expect } from 'chai';
import fc from 'fast-check';
import { fuzz } from '@parley/testkit';
import { clientEventShapes } from '#src/core/client-events.js';
import { serverEventTypes } from '#src/core/server-events.js';
import { spokenAudio } from '#src/spoken-audio.js';
import { Rehearsal } from './rehearsal.js';

describe('hostile frames', () => {
  it('do not change what objects are', () => {
    const stage = new Rehearsal()
      .sendText('{"type":"session.update","session":{"type":"realtime","__proto__":{"model":"x"}}}')
      .sendText('{"type":"conversation.item.create","item":{"type":"__proto__"}}')
      .sendText('{"__proto__":{"type":"response.create"}}');
    expect(stage.all('error')).to.have.length(3);
    expect(({} as { model?: string }).model).to.equal(undefined);
  });

  it('are refused when they are nested too deeply', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const stage = new Rehearsal().sendText(
      `{"type":"session.update","session":{"type":"realtime","truncation":${deep}}}`,
    );
    expect(stage.last('error').error.code).to.equal('invalid_event');
  });

  it('may carry megabytes of audio', () => {
    const stage = new Rehearsal().stream(Buffer.alloc(10 * 1024 * 1024), 10 * 1024 * 1024);
    expect(stage.types).to.deep.equal(['session.created']);
    expect(stage.stream(spokenAudio('hello', { milliseconds: 500 })).settle().answer).to.include(
      'Hello',
    );
  });

  it('may ask for an answer of a million words', () => {
    const words = 'a '.repeat(1_000_000);
    const stage = new Rehearsal().ask(`!say ${words}`, { output_modalities: ['text'] });
    expect(stage.until('response.output_text.delta').types).to.include('response.created');
    expect(stage.send({ type: 'response.cancel' }).types).to.include('response.done');
  });

  it('of every shape are answered with known events, and the session goes on', () => {
    const type = fc.constantFrom(...Object.keys(clientEventShapes));
    const words = fc.constantFrom(
      'item',
      'session',
      'response',
      'audio',
      'item_id',
      'type',
      'input',
    );
    const event = fc
      .tuple(type, fc.dictionary(words, fc.jsonValue()))
      .map(([name, body]) => ({ ...body, type: name }));
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue()), { maxLength: 5 }), (frames) => {
        const stage = new Rehearsal();
        for (const frame of frames) stage.sendText(JSON.stringify(frame));
        stage.settle().send({ type: 'input_audio_buffer.clear' });
        expect(serverEventTypes).to.include.members(stage.types);
        expect(stage.types.at(-1)).to.equal('input_audio_buffer.cleared');
      }),
      fuzz(300),
    );
  });

  it('in a directive do not ask for more than there is', () => {
    const stage = new Rehearsal().ask('!delay 99999999999999999999 !say never').settle();
    expect(stage.types.at(-1)).to.equal('response.created');
  });
});
