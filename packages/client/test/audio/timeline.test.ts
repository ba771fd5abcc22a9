import { expect } from 'chai';
import { Timeline } from '#src/audio/timeline.js';

const ms = 24;
const frames = 48;
const item = (itemId: string, contentIndex = 0) => ({ itemId, contentIndex });

describe('Timeline', () => {
  const timeline = () => new Timeline(48_000);

  it('has heard nothing of what waits', () => {
    const one = timeline();
    one.add(item('a'), 500 * ms);
    expect(one.heard(1_000 * frames)).to.deep.equal({ ...item('a'), ms: 0 });
  });

  it('follows the sound from the report of its beginning on', () => {
    const one = timeline();
    one.add(item('a'), 300 * ms);
    one.add(item('a'), 200 * ms);
    one.report({ run: 0, frame: 1_000 * frames, position: 0, playing: true });
    expect(one.heard(900 * frames)?.ms).to.equal(0);
    expect(one.heard(1_100 * frames)?.ms).to.equal(100);
    expect(one.heard(1_450 * frames)?.ms).to.equal(450);
    expect(one.heard(1_500 * frames)).to.equal(null);
  });

  it('counts each item, and each part of one, from its own beginning', () => {
    const one = timeline();
    one.add(item('a'), 100 * ms);
    one.add(item('a', 1), 100 * ms);
    one.add(item('b'), 100 * ms);
    one.report({ run: 0, frame: 0, position: 0, playing: true });
    const at = [50, 150, 250].map((time) => one.heard(time * frames));
    expect(at).to.deep.equal([
      { ...item('a'), ms: 50 },
      { ...item('a', 1), ms: 50 },
      { ...item('b'), ms: 50 },
    ]);
  });

  it('stands still while the sound pauses, and goes on with the same item', () => {
    const one = timeline();
    one.add(item('a'), 100 * ms);
    one.report({ run: 0, frame: 0, position: 0, playing: true });
    one.report({ run: 0, frame: 100 * frames, position: 100 * ms, playing: false });
    expect(one.heard(400 * frames)).to.equal(null);
    one.add(item('a'), 100 * ms);
    expect(one.heard(400 * frames)?.ms).to.equal(100);
    one.report({ run: 0, frame: 500 * frames, position: 100 * ms, playing: true });
    expect(one.heard(450 * frames)?.ms).to.equal(100);
    expect(one.heard(520 * frames)?.ms).to.equal(120);
  });

  it('forgets everything when it is cleared, late reports of the former run too', () => {
    const one = timeline();
    one.add(item('a'), 500 * ms);
    one.clear();
    expect(one.heard(0)).to.equal(null);
    one.report({ run: 0, frame: 0, position: 400 * ms, playing: true });
    one.add(item('b'), 100 * ms);
    expect(one.heard(300 * frames)).to.deep.equal({ ...item('b'), ms: 0 });
  });
});
