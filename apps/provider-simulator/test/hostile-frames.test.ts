import { expect } from 'chai';
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
});
