import { expect } from 'chai';
import { WaitingRoom } from '#src/calls/waiting-room.js';

describe('the approvals that a session waits for', () => {
  const ids = Array.from({ length: 16 }, (_, n) => `a${n}`);

  it('are sixteen at most, and one that is decided makes room', () => {
    const room = new WaitingRoom();
    expect(ids.map((id) => room.enter(id))).to.not.include(false);
    expect(room.enter('one more')).to.equal(false);
    expect(room.enter('a3')).to.equal(true);
    room.leave('a3');
    expect(room.enter('one more')).to.equal(true);
    expect(room.enter('a3')).to.equal(false);
  });

  it('include those that waited before', () => {
    const room = new WaitingRoom();
    room.seat([...ids, 'a3']);
    expect(room.enter('one more')).to.equal(false);
    room.leave('a3');
    expect(room.enter('one more')).to.equal(true);
  });
});
