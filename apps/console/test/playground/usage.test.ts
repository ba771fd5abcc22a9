import { expect } from 'chai';
import { noUsage, used } from '#src/pages/playground/usage.js';

const done = (usage: unknown, id = 'r1') => ({
  type: 'response.done',
  response: { id, status: 'completed', usage },
});

describe('the tokens of a session', () => {
  it('are summed up over its responses', () => {
    const first = done({
      input_tokens: 100,
      output_tokens: 40,
      input_token_details: { audio_tokens: 60, cached_tokens: 32 },
      output_token_details: { audio_tokens: 30 },
    });
    const second = done({ input_tokens: 10, output_tokens: 5 }, 'r2');
    const usage = used(used(noUsage, first, 1), second, 2);
    expect(usage.total).to.deep.equal({
      input: 110,
      inputAudio: 60,
      inputCached: 32,
      output: 45,
      outputAudio: 30,
    });
    expect(usage.responses.map(({ id, at, input }) => [id, at, input])).to.deep.equal([
      ['r1', 1, 100],
      ['r2', 2, 10],
    ]);
  });

  it('are none where a response tells none, or nonsense', () => {
    const usage = used(
      used(noUsage, done(null), 1),
      done({ input_tokens: -3, output_tokens: 'x' }),
      2,
    );
    expect([usage.count, usage.total.input, usage.total.output]).to.deep.equal([2, 0, 0]);
  });

  it('come from no other event', () => {
    expect(used(noUsage, { type: 'response.created' }, 1)).to.equal(noUsage);
  });

  it('go on being counted when the oldest responses are forgotten', () => {
    let usage = noUsage;
    for (let nth = 0; nth < 300; nth += 1)
      usage = used(usage, done({ input_tokens: 1 }, `r${nth}`), nth);
    expect([usage.responses.length, usage.count, usage.total.input]).to.deep.equal([200, 300, 300]);
  });
});
