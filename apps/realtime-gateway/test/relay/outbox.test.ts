import { expect } from 'chai';
import type { WebSocket } from 'ws';
import { Outbox } from '#src/relay/outbox.js';
import { relayLimits } from '#src/relay/relay-limits.js';

const limits = { ...relayLimits, fullBytes: 100, drainedBytes: 25 };

/** A reader that keeps everything until it is told to flush. */
class Reader {
  bufferedAmount = 0;
  #waiting: { size: number; sent: (() => void) | undefined }[] = [];

  send(data: Buffer, _how: object, sent?: () => void): void {
    this.bufferedAmount += data.length;
    this.#waiting.push({ size: data.length, sent });
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  flush(): void {
    const { size, sent } = this.#waiting.shift()!;
    this.bufferedAmount -= size;
    sent?.();
  }
}

class Source {
  isPaused = false;
  readonly calls: string[] = [];

  pause(): void {
    this.isPaused = true;
    this.calls.push('pause');
  }

  resume(): void {
    this.isPaused = false;
    this.calls.push('resume');
  }
}

describe('an outbox', () => {
  let reader: Reader;
  let source: Source;
  let outbox: Outbox;

  const outboxWith = (options: { stallMs?: number; onStalled?: () => void } = {}) => {
    const { stallMs = limits.stallMs, onStalled = () => undefined } = options;
    return new Outbox({
      target: reader as unknown as WebSocket,
      source: () => source as unknown as WebSocket,
      limits: { ...limits, stallMs },
      onStalled,
    });
  };
  beforeEach(() => {
    [reader, source] = [new Reader(), new Source()];
    outbox = outboxWith();
  });
  const send = (bytes: number) => outbox.send({ data: Buffer.alloc(bytes), binary: true });
  afterEach(() => outbox.stop());

  it('leaves the other side alone while its reader keeps up', () => {
    for (const bytes of [10, 40, 50]) send(bytes);
    expect(source.calls).to.deep.equal([]);
  });

  it('holds the other side once when its reader is full, until little is left', () => {
    for (const bytes of [40, 40, 40, 20]) send(bytes);
    expect(source.calls).to.deep.equal(['pause']);
    for (let n = 0; n < 2; n += 1) reader.flush();
    expect(source.calls).to.deep.equal(['pause']);
    reader.flush();
    expect(source.calls).to.deep.equal(['pause', 'resume']);
  });

  it('counts the frame that it is about to send', () => {
    send(101);
    expect(source.calls).to.deep.equal(['pause']);
  });

  it('does not resume a side that is paused for another reason', () => {
    source.isPaused = true;
    send(101);
    reader.flush();
    expect(source.calls).to.deep.equal([]);
  });

  it('forgets the hold when the session ends', () => {
    send(101);
    outbox.stop();
    reader.flush();
    expect(source.calls).to.deep.equal(['pause']);
  });

  it('holds another peer back only while its reader is full', () => {
    const peer = new Source();
    const hold = () => outbox.holdWhileFull(peer as unknown as WebSocket);
    hold();
    expect(peer.calls).to.deep.equal([]);
    send(200);
    hold();
    hold();
    expect(peer.calls).to.deep.equal(['pause']);
    reader.flush();
    expect([...peer.calls, ...source.calls]).to.deep.equal(['pause', 'resume', 'pause', 'resume']);
  });

  it('pauses the other side again when somebody else has resumed it', () => {
    send(200);
    source.resume();
    send(1);
    expect(source.calls).to.deep.equal(['pause', 'resume', 'pause']);
  });

  it('gives its reader a portion at a time, and everything before the end', () => {
    for (const bytes of [10, 20, 30, 11, 12, 13]) send(bytes);
    const portions = [reader.bufferedAmount];
    for (const frames of [2, 1]) {
      for (let n = 0; n < frames; n += 1) reader.flush();
      portions.push(reader.bufferedAmount);
    }
    expect(portions).to.deep.equal([10 + 20, 30, 11 + 12 + 13]);
    send(50);
    outbox.flush();
    expect(reader.bufferedAmount).to.equal(86);
  });

  it('forgets what a reader did not get that is gone', () => {
    for (const bytes of [30, 40]) send(bytes);
    outbox.release();
    reader.flush();
    expect(reader.isEmpty).to.equal(true);
  });

  it('tells of a reader that takes too little, though not nothing', async () => {
    await new Promise<void>((onStalled) => {
      outbox = outboxWith({ stallMs: 1, onStalled });
      for (const bytes of [20, 10, 200]) send(bytes);
      reader.flush();
    });
    expect(reader.isEmpty).to.equal(false);
  });

  it('does not tell of a reader that takes enough, however long that lasts', async () => {
    let stalls = 0;
    outbox = outboxWith({ stallMs: 500, onStalled: () => (stalls += 1) });
    for (let n = 0; n < 100; n += 1) send(30);
    await new Promise<void>((resolve) => {
      const reading = setInterval(() => {
        reader.flush();
        if (!reader.isEmpty) return;
        clearInterval(reading);
        resolve();
      }, 10);
    });
    expect(stalls).to.equal(0);
  });
});
