import { expect } from 'chai';
import { publishTo, readHint } from '#src/pod-channel.js';

describe('a hint to a pod', () => {
  it('is read as it was sent', async () => {
    const sent: string[] = [];
    const redis = {
      publish: (...message: string[]) => {
        sent.push(...message);
        return Promise.resolve(1);
      },
    };
    await publishTo(redis as never, 'pod-1', { kind: 'approval', id: 'x' });
    expect(sent).to.deep.equal(['parley:pod:pod-1', 'approval x']);
    expect(readHint('approval x')).to.deep.equal({ kind: 'approval', id: 'x' });
  });

  for (const noise of ['', 'approval', 'approval ', 'x y', 'approval x y', '{"kind":"run"}'])
    it(`is not read from '${noise}'`, () => {
      expect(readHint(noise)).to.equal(undefined);
    });
});
