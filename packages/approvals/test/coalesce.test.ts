import { expect } from 'chai';
import { coalesce } from '#src/coalesce.js';

describe('work that is coalesced', () => {
  const turns: PromiseWithResolvers<number>[] = [];
  const ask = coalesce(() => {
    const turn = withResolvers<number>();
    turns.push(turn);
    return turn.promise;
  });
  beforeEach(() => {
    turns.length = 0;
  });
  const begun = () => new Promise((resolve) => setImmediate(resolve));

  it('is done once for all who ask at once', async () => {
    const asked = [ask(), ask(), ask()];
    await begun();
    expect(turns).to.have.length(1);
    turns[0]!.resolve(1);
    expect(await Promise.all(asked)).to.deep.equal([1, 1, 1]);
  });

  it('is done once more for all who ask meanwhile, and never twice at a time', async () => {
    const first = ask();
    await begun();
    const later = [ask(), ask()];
    await begun();
    expect(turns).to.have.length(1);
    turns[0]!.resolve(1);
    expect(await first).to.equal(1);
    await begun();
    expect(turns).to.have.length(2);
    turns[1]!.resolve(2);
    expect(await Promise.all(later)).to.deep.equal([2, 2]);
  });

  it('fails those who shared the turn, and nobody after them', async () => {
    const failing = ask().catch(String);
    await begun();
    const next = ask();
    turns[0]!.reject(new Error('away'));
    expect(await failing).to.equal('Error: away');
    await begun();
    turns[1]!.resolve(2);
    expect(await next).to.equal(2);
  });
});

type PromiseWithResolvers<T> = {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
};

function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [
    () => undefined,
    () => undefined,
  ];
  const promise = new Promise<T>((...functions) => {
    [resolve, reject] = functions;
  });
  return { promise, resolve, reject };
}
