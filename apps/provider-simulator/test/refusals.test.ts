import { expect } from 'chai';
import { Rehearsal } from './rehearsal.js';
import { refusalRows } from './refusal-rows.js';

describe('a refusal', () => {
  for (const { title, frame, code, param } of refusalRows)
    it(`answers ${title} with ${code ?? 'a message'}, and the session goes on`, () => {
      const stage = new Rehearsal().send({ event_id: 'mine', ...frame });
      const { error } = stage.last('error');
      expect(error).to.include({ type: 'invalid_request_error', code, param, event_id: 'mine' });
      expect(stage.ask('hello').settle().answer).to.include('Hello');
    });

  it('answers broken JSON, JSON that is no object, and binary frames', () => {
    const stage = new Rehearsal()
      .sendText('{"type":')
      .sendText('[]')
      .sendText('null')
      .sendText('')
      .sendBinary();
    expect(stage.all('error').map(({ error }) => error.code)).to.deep.equal([
      'invalid_json',
      'invalid_event',
      'invalid_event',
      'invalid_json',
      'invalid_event',
    ]);
  });

  it('answers a second response while one is active', () => {
    const stage = new Rehearsal()
      .ask('hello')
      .send({ type: 'response.create', event_id: 'second' });
    const { error } = stage.last('error');
    expect(error).to.include({
      code: 'conversation_already_has_active_response',
      event_id: 'second',
    });
    expect(error.message).to.include(stage.last('response.created').response.id);
  });

  it('answers a cancellation of a response that has ended', () => {
    const stage = new Rehearsal().ask('hello').settle();
    const response_id = stage.last('response.done').response.id;
    stage.send({ type: 'response.cancel', response_id });
    expect(stage.last('error').error.code).to.equal('response_cancel_not_active');
  });

  it('answers another voice once the model has spoken, and takes the same one', () => {
    const stage = new Rehearsal().ask('hello').settle();
    stage.update({ audio: { output: { voice: 'alloy' } } });
    expect(stage.types.at(-1)).to.equal('session.updated');
    stage.update({ audio: { output: { voice: 'cedar' } } });
    expect(stage.last('error').error.code).to.equal('cannot_update_voice');
  });

  it('answers a change of the tracing, and takes the same one', () => {
    const stage = new Rehearsal().update({ tracing: { group_id: 'a' } });
    stage.update({ tracing: { group_id: 'a' } });
    expect(stage.types.at(-1)).to.equal('session.updated');
    stage.update({ tracing: 'auto' });
    expect(stage.last('error').error.param).to.equal('session.tracing');
  });

  it('answers a truncation beyond the audio with its length', () => {
    const stage = new Rehearsal().ask('hello').settle();
    const item_id = stage.last('response.output_item.done').item.id;
    stage.send({
      type: 'conversation.item.truncate',
      item_id,
      content_index: 0,
      audio_end_ms: 999_999,
    });
    const { error } = stage.last('error');
    expect(error.code).to.equal(null);
    expect(error.message).to.match(/^Audio content of \d+ms is already shorter than 999999ms$/);
  });

  it('answers the truncation of what has no audio', () => {
    const stage = new Rehearsal().ask('hello');
    const item_id = stage.all('conversation.item.added')[0]!.item.id;
    stage.send({ type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 0 });
    expect(stage.last('error').error.code).to.equal('unsupported_content_type');
  });

  it('answers an item id that exists', () => {
    const item = { id: 'same', type: 'message', role: 'user', content: [] };
    const stage = new Rehearsal().send(
      ...[item, item].map((i) => ({ type: 'conversation.item.create', item: i })),
    );
    expect(stage.last('error').error.param).to.equal('item.id');
  });

  it('is all that a session that refuses updates has for them', () => {
    const stage = new Rehearsal({ sessionUpdate: 'refuse' }).update({});
    expect(stage.types).to.deep.equal(['session.created', 'error']);
  });
});
