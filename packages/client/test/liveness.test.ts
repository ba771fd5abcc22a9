import { expect } from 'chai';
import { Liveness } from '#src/session/liveness.js';

/** A connection whose time passes on command. It answers, unless it is dead. */
class Scene {
  asked = 0;
  isDead = false;
  isResumable = true;
  answers = true;
  #now = 0;
  #look: (() => void) | undefined;
  #online: (() => void) | undefined;
  readonly liveness = new Liveness(
    {
      isResumable: () => this.isResumable,
      ask: () => {
        this.asked += 1;
        if (this.answers) this.liveness.answered();
      },
      onDead: () => (this.isDead = true),
    },
    {
      now: () => this.#now,
      every: (_ms, look) => {
        this.#look = look;
        return () => (this.#look = undefined);
      },
      onOnline: (listener) => {
        this.#online = listener;
        return () => (this.#online = undefined);
      },
    },
  );

  /** Every few seconds, as a timer does. */
  pass(seconds: number, each: () => void = () => undefined): this {
    for (let left = seconds; left > 0; left -= 4) {
      this.#now += 4000;
      each();
      this.#look?.();
    }
    return this;
  }

  sleep(seconds: number): this {
    this.#now += seconds * 1000;
    this.#look?.();
    return this;
  }

  online(): this {
    this.#online?.();
    return this;
  }

  get isWatched(): boolean {
    return this.#look !== undefined || this.#online !== undefined;
  }
}

const proven = () => new Scene().pass(4);
const silenced = () => Object.assign(proven(), { answers: false });

describe('a connection', () => {
  it('is not dead while the service answers, however quiet it is', () => {
    const scene = proven().pass(3600);
    expect(scene.isDead).to.equal(false);
    expect(scene.asked).to.be.within(100, 3600 / 15);
  });

  it('is dead if the service no longer answers', () => {
    expect(silenced().pass(60).isDead).to.equal(true);
  });

  it('is dead sooner if something was sent', () => {
    const scene = silenced();
    scene.liveness.sent();
    expect(scene.pass(8).isDead).to.equal(false);
    expect(scene.pass(4).isDead).to.equal(true);
  });

  it('is not dead while anything arrives, whether the service answers or not', () => {
    const scene = silenced();
    scene.pass(3600, () => {
      scene.liveness.heard();
      scene.liveness.sent();
    });
    expect(scene.isDead).to.equal(false);
  });

  it('is not judged by answers of a service that has never given one', () => {
    const scene = new Scene();
    scene.answers = false;
    scene.pass(600, () => scene.liveness.sent());
    expect(scene.isDead).to.equal(false);
    expect(scene.asked).to.equal(1);
  });

  it('is asked, and not judged, when the computer wakes up', () => {
    const scene = silenced();
    scene.liveness.sent();
    scene.pass(4).sleep(300);
    expect([scene.isDead, scene.asked]).to.deep.equal([false, 3]);
    expect(scene.pass(8).isDead).to.equal(true);
  });

  it('is not dead in a page whose timers are slow', () => {
    const scene = proven();
    for (let minutes = 0; minutes < 60; minutes += 1) scene.sleep(60);
    expect(scene.isDead).to.equal(false);
  });

  it('is dead when the network is back, if nothing is lost by that', () => {
    expect(proven().online().isDead).to.equal(true);
    const ordinary = proven();
    ordinary.isResumable = false;
    expect(ordinary.online().isDead).to.equal(false);
  });

  it('is dead without the pings that it had, resumable or not', () => {
    const scene = new Scene();
    scene.isResumable = false;
    scene.pass(3600, () => scene.liveness.pinged());
    expect(scene.isDead).to.equal(false);
    scene.sleep(3600).pass(44);
    expect([scene.isDead, scene.asked]).to.deep.equal([false, 0]);
    expect(scene.pass(4).isDead).to.equal(true);
  });

  it('is not watched once it is dead or closed', () => {
    const scene = proven();
    scene.liveness.stop();
    expect([scene.isWatched, proven().online().isWatched]).to.deep.equal([false, false]);
  });
});
