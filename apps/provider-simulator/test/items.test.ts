import { expect } from 'chai';
import type { Item } from '#src/core/items.js';
import { spokenAudio } from '#src/spoken-audio.js';
import { Rehearsal } from './rehearsal.js';

const message = (id: string, text = id) => ({
  id,
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

const create = (item: object, previous_item_id?: string) => ({
  type: 'conversation.item.create',
  item,
  ...(previous_item_id !== undefined && { previous_item_id }),
});

describe('the items of a conversation', () => {
  it('are appended, put in front with "root", or put after another', () => {
    const stage = new Rehearsal().send(
      create(message('b')),
      create(message('a'), 'root'),
      create(message('d')),
      create(message('c'), 'b'),
    );
    const places = stage.all('conversation.item.added').map((e) => [e.item.id, e.previous_item_id]);
    expect(places).to.deep.equal([
      ['b', null],
      ['a', null],
      ['d', 'b'],
      ['c', 'b'],
    ]);
  });

  it('may be the history of an earlier conversation, which is not answered again', () => {
    const call = {
      type: 'function_call',
      call_id: 'call_old',
      name: 'get_weather',
      arguments: '{}',
    };
    const assistant = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.' }],
    };
    const stage = new Rehearsal().send(
      create(message('old', '!close 4000')),
      create(call),
      create({ type: 'function_call_output', call_id: 'call_old', output: 'sunny' }),
      create(assistant),
      create({
        type: 'message',
        role: 'system',
        content: [{ type: 'input_text', text: 'Be nice.' }],
      }),
    );
    expect(stage.ask('thank you').settle().answer).to.include('welcome');
    expect(stage.effects).to.deep.equal([]);
  });

  it('may hold audio, which is heard', () => {
    const audio = spokenAudio('thank you', { milliseconds: 500 }).toString('base64');
    const content = [{ type: 'input_audio', audio }];
    const stage = new Rehearsal().send(create({ type: 'message', role: 'user', content }));
    expect(stage.last('conversation.item.added').item).to.deep.include({
      content: [{ type: 'input_audio', transcript: null }],
    });
    stage.send({ type: 'response.create' }).settle();
    expect(stage.answer).to.include('welcome');
  });

  it('are retrieved with their audio', () => {
    const speech = spokenAudio('hello', { milliseconds: 500 });
    const stage = new Rehearsal().stream(speech).settle();
    const { item_id } = stage.last('input_audio_buffer.committed');
    stage.send({ type: 'conversation.item.retrieve', item_id });
    const { item } = stage.last('conversation.item.retrieved');
    const bytes = soundOf(item);
    expect(speech.includes(bytes)).to.equal(true);
    expect(bytes.length).to.be.greaterThan(20_000);
  });

  it('are cut where the user stopped listening, words included', () => {
    const stage = new Rehearsal().ask('hello').settle();
    const item_id = stage.last('response.output_item.done').item.id;
    stage.send(
      { type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 100 },
      { type: 'conversation.item.retrieve', item_id },
    );
    expect(stage.last('conversation.item.truncated').audio_end_ms).to.equal(100);
    const { item } = stage.last('conversation.item.retrieved');
    const part = item.type === 'message' ? item.content[0] : undefined;
    expect(part).to.have.keys('type', 'audio');
    expect(soundOf(item)).to.have.length(4800);
  });

  it('are cut while they are spoken, and stay cut', () => {
    const stage = new Rehearsal().ask('!say one two three').until('response.output_audio.delta');
    const { item_id } = stage.last('response.output_audio.delta');
    stage
      .send(
        { type: 'conversation.item.truncate', item_id, content_index: 0, audio_end_ms: 50 },
        { type: 'response.cancel' },
      )
      .send({ type: 'conversation.item.retrieve', item_id });
    expect(stage.types).not.to.include('error');
    expect(stage.last('conversation.item.truncated').audio_end_ms).to.equal(50);
    expect(soundOf(stage.last('conversation.item.retrieved').item)).to.have.length(2400);
  });

  it('are gone once deleted', () => {
    const stage = new Rehearsal().send(create(message('a')), {
      type: 'conversation.item.delete',
      item_id: 'a',
    });
    expect(stage.last('conversation.item.deleted').item_id).to.equal('a');
    stage.send({ type: 'conversation.item.retrieve', item_id: 'a' });
    expect(stage.types.at(-1)).to.equal('error');
  });
});

function soundOf(item: Item): Buffer {
  const part = item.type === 'message' ? item.content[0] : undefined;
  const audio = part && 'audio' in part ? part.audio : undefined;
  return Buffer.from(audio ?? '', 'base64');
}
