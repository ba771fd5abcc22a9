import { expect } from 'chai';
import { answer, answered, Dialogue, item, start, transcribed, turn, typed } from './dialogue.js';
import { running, settings } from './settings.js';

const sound = [{ type: 'input_audio', transcript: null }];
const failed = 'conversation.item.input_audio_transcription.failed';

describe('the order of the record', () => {
  it('puts a transcript that comes late before its answer, at the time when it was spoken', () => {
    const dialogue = turn()
      .provider(answered, answer)
      .provider(transcribed, { item_id: 'u', content_index: 0, transcript: 'Hi.' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
    expect(dialogue.messages[1]).to.include({ createdAt: start + 10, status: 'completed' });
  });

  it('settles the place of a transcript that failed', () => {
    const dialogue = turn().provider(answered, answer).provider(failed, { item_id: 'u' });
    expect(dialogue.said).to.deep.equal(['user: ', 'assistant: Hello.']);
    expect(dialogue.messages[1]).to.include({ status: 'failed' });
  });

  it('goes by the time of speech where the provider does not tell the chain', () => {
    const dialogue = new Dialogue()
      .provider('input_audio_buffer.speech_started', { item_id: 'u' })
      .provider(answered, answer)
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
  });

  it('puts an item where the client wants it', () => {
    const dialogue = new Dialogue()
      .client(typed('first', { id: 'one' }))
      .client(typed('last', { id: 'two' }))
      .client(typed('middle', { id: 'three' }, { previous_item_id: 'one' }))
      .client(typed('front', {}, { previous_item_id: 'root' }));
    expect(dialogue.said.map((line) => line.slice(6))).to.deep.equal([
      'front',
      'first',
      'middle',
      'last',
    ]);
    expect(new Set(dialogue.messages.map(({ position }) => position)).size).to.equal(4);
  });

  it('has room for 100 items that are put one after another into the middle', () => {
    const dialogue = new Dialogue().client(typed('first', { id: 'id-first' }));
    dialogue.now += 1000;
    dialogue.client(typed('last', { id: 'id-last' }));
    const middle = Array.from({ length: 100 }, (_, n) => String(n));
    let previous_item_id = 'id-first';
    for (const text of middle) {
      dialogue.client(typed(text, { id: `id-${text}` }, { previous_item_id }));
      previous_item_id = `id-${text}`;
    }
    expect(dialogue.said.map((line) => line.slice(6))).to.deep.equal(['first', ...middle, 'last']);
    expect(new Set(dialogue.messages.map(({ position }) => position)).size).to.equal(102);
  });

  it('stands after everything that the conversation held, whatever the clock says', () => {
    const lastPosition = (start + 3_600_000) * 1000;
    const dialogue = new Dialogue();
    dialogue.state = { ...running, ledger: { ...running.ledger, floor: lastPosition } };
    dialogue.client(typed('a')).client(typed('b'));
    const [a, b] = dialogue.messages;
    expect(a!.position).to.be.greaterThan(lastPosition);
    expect(b!.position).to.be.greaterThan(a!.position);
  });

  it('is kept for 2,000 items with bounded memory', () => {
    const dialogue = new Dialogue();
    for (let n = 0; n < 2000; n += 1) dialogue.client(typed(String(n)));
    expect(dialogue.said).to.deep.equal(Array.from({ length: 2000 }, (_, n) => `user: ${n}`));
    expect(dialogue.state.ledger.slots.length).to.be.at.most(500);
  });
});

describe('one row per item and content part', () => {
  it('whatever alias tells it, and however often', () => {
    const dialogue = turn()
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' })
      .provider('input_audio.transcript.done', { item_id: 'u', text: 'Hi.' })
      .provider('input_audio.transcript.done', { text: 'Hi.' })
      .provider(answered, answer)
      .provider('response.audio_transcript.done', answer)
      .provider('response.content.done', { ...answer, transcript: undefined, text: 'Hello.' })
      .provider('response.content.done', { text: 'Hello.' });
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
  });

  it('also when the alias without an id comes first', () => {
    const dialogue = turn()
      .provider('input_audio.transcript.done', { transcript: 'Hi.' })
      .provider(transcribed, { item_id: 'u', transcript: 'Hi.' })
      .provider('response.content.done', { text: 'Hello.' })
      .provider(answered, answer);
    expect(dialogue.said).to.deep.equal(['user: Hi.', 'assistant: Hello.']);
  });

  it('of several parts each', () => {
    const dialogue = turn()
      .provider(answered, answer)
      .provider(answered, { ...answer, content_index: 1, transcript: 'And more.' });
    expect(dialogue.messages.map(({ contentIndex }) => contentIndex)).to.deep.equal([0, 1]);
  });

  it('of typed text when it passes; its id follows with the echo', () => {
    const content = [{ type: 'input_text', text: 'Hi.' }];
    const dialogue = new Dialogue()
      .client(typed('Hi.'))
      .provider('conversation.item.added', item('u', 'user', content));
    expect(dialogue.said).to.deep.equal(['user: Hi.']);
    const { key } = dialogue.messages[0]!;
    expect(dialogue.of('amend')).to.deep.equal([
      { kind: 'amend', parts: [{ key, contentIndex: 0 }], change: { itemId: 'u' } },
    ]);
  });

  it('and none of what others say through the client', () => {
    const dialogue = new Dialogue()
      .client(typed('I am the agent.', { role: 'assistant' }))
      .client(typed('Obey.', { role: 'system' }))
      .client(typed('', { content: sound }));
    expect(dialogue.messages).to.be.empty;
  });
});

describe('an interruption', () => {
  const truncated = { item_id: 'a', content_index: 0, audio_end_ms: 420 };
  const done = (status: string, itemStatus = 'incomplete') => ({
    response: { id: 'r', status, output: [{ id: 'a', status: itemStatus }] },
  });

  it('marks a message that is stored, with how much was heard', () => {
    const dialogue = turn()
      .provider(answered, answer)
      .provider('response.done', done('cancelled'))
      .provider('conversation.item.truncated', truncated);
    const parts = [{ key: 'a', contentIndex: 0 }];
    expect(dialogue.of('amend')).to.deep.equal([
      { kind: 'amend', parts, change: { interrupted: true } },
      { kind: 'amend', parts, change: { interrupted: true, audioEndMs: 420 } },
    ]);
  });

  it('marks a message that is told later', () => {
    const dialogue = turn()
      .provider('conversation.item.truncated', truncated)
      .provider(answered, answer);
    expect(dialogue.messages[0]).to.include({ interrupted: true, audioEndMs: 420 });
  });

  const outcomes: [status: string, itemStatus: string, marked: boolean][] = [
    ['completed', 'completed', false],
    ['cancelled', 'incomplete', true],
    ['incomplete', 'incomplete', true],
    ['failed', 'incomplete', true],
    ['cancelled', 'completed', false],
  ];
  for (const [status, itemStatus, marked] of outcomes)
    it(`${marked ? 'is' : 'is not'} a ${status} response with a ${itemStatus} item`, () => {
      const dialogue = turn()
        .provider(answered, answer)
        .provider('response.done', done(status, itemStatus));
      expect(dialogue.of('amend')).to.have.length(marked ? 1 : 0);
    });
});

describe('usage', () => {
  const details = {
    input_tokens: 103,
    output_tokens: 20,
    input_token_details: { text_tokens: 90, audio_tokens: 13, cached_tokens: 64 },
    output_token_details: { text_tokens: 5, audio_tokens: 15 },
  };
  const counts = {
    inputTextTokens: 90,
    inputAudioTokens: 13,
    inputCachedTokens: 64,
    outputTextTokens: 5,
    outputAudioTokens: 15,
    seconds: 0,
  };

  it('of a response is counted once, and stands with its message', () => {
    const response = { id: 'r', status: 'completed', usage: details };
    const dialogue = turn()
      .provider(answered, answer)
      .provider('response.done', { response })
      .provider('response.done', { response });
    const usage = { source: 'response', sourceId: 'r', model: settings.model, counts };
    expect(dialogue.of('note_usage')).to.deep.equal([{ kind: 'note_usage', usage }]);
    expect(dialogue.of('amend')[0]?.change).to.deep.equal({ usage: counts });
  });

  const kinds: [usage: object, expected: object][] = [
    [
      { type: 'duration', seconds: 2.5 },
      { seconds: 2.5, inputTextTokens: 0 },
    ],
    [
      {
        type: 'tokens',
        input_tokens: 9,
        output_tokens: 4,
        input_token_details: { audio_tokens: 9 },
      },
      { inputAudioTokens: 9, outputTextTokens: 4, seconds: 0 },
    ],
    [
      { input_tokens: 9, output_tokens: 4 },
      { inputTextTokens: 9, outputTextTokens: 4 },
    ],
    [
      { input_tokens: -1, output_tokens: 'many', seconds: null },
      { inputTextTokens: 0, seconds: 0 },
    ],
  ];
  for (const [usage, expected] of kinds)
    it(`of a transcription is read from ${JSON.stringify(usage)}`, () => {
      const dialogue = turn().provider(transcribed, { item_id: 'u', transcript: 'Hi.', usage });
      const noted = dialogue.of('note_usage')[0]?.usage;
      expect(noted).to.include({ source: 'transcription', model: settings.transcriptionModel });
      expect(noted?.counts).to.include(expected);
    });
});
