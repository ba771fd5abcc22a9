import { expect } from 'chai';
import { Problem } from '@parley/protocol';
import { PasswordDesk, type Guest } from '#src/accounts/password-desk.js';

const settled = () => new Promise(setImmediate);
const welcome = (address: string): Guest => ({ address, requireWelcome: () => undefined });

/** A desk whose checks end when they are told to. */
function slowDesk() {
  const checked: string[] = [];
  const ends: (() => void)[] = [];
  const desk = new PasswordDesk((password) => {
    checked.push(password);
    return new Promise((resolve) => ends.push(() => resolve(true)));
  });
  const endOne = async () => {
    await settled();
    ends.shift()?.();
    await settled();
  };
  return { desk, checked, endOne };
}

describe('passwords that wait to be checked', () => {
  it('are dropped if their sender is refused when their turn comes', async () => {
    const { desk, checked, endOne } = slowDesk();
    let isRefused = false;
    const sender: Guest = {
      address: 'a',
      requireWelcome() {
        if (isRefused) throw new Problem('rate-limited', 'Wait.');
      },
    };
    const [first, second] = [desk.isRight(sender, '1', null), desk.isRight(sender, '2', null)];
    const refusal = second.catch((error: unknown) => error);
    await settled();
    isRefused = true;
    await endOne();
    expect(await first).to.equal(true);
    expect(await refusal).to.have.property('code', 'rate-limited');
    expect(checked).to.deep.equal(['1']);
  });

  it('are refused beyond a bound, which is each address’s own', async () => {
    const { desk, checked, endOne } = slowDesk();
    const crowd = Array.from({ length: 30 }, (_, n) =>
      desk.isRight(welcome('a'), `a${n}`, null).catch((error: unknown) => error as Problem),
    );
    const other = desk.isRight(welcome('b'), 'b', null);
    const refusal = await crowd[29];
    expect(refusal).to.include({ code: 'service-unavailable', status: 503 });
    expect(refusal).to.have.nested.property('headers.Retry-After', '10');
    await endOne();
    await endOne();
    await endOne();
    expect(await other).to.equal(true);
    expect(checked.slice(0, 3)).to.include('b');
    while (checked.length < 22) await endOne();
    await endOne();
    const replies = await Promise.all(crowd);
    expect(replies.filter((reply) => reply === true)).to.have.length(21);
  });
});
