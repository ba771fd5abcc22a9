import { EventEmitter, once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { waitFor } from '@parley/testkit';
import { Heartbeat } from '#src/relay/heartbeat.js';
import { relayLimits } from '#src/relay/relay-limits.js';
import { SlidingTimer } from '#src/relay/sliding-timer.js';

const limits = { ...relayLimits, pingMs: 10, silenceMs: 30 };

/** As when the machine is suspended, or has no time for this process. */
function standStill(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

class Peer extends EventEmitter {
  readonly readyState = WebSocket.OPEN;
  isPaused = false;
  pings = 0;
  answers = true;

  ping(): void {
    this.pings += 1;
    if (this.answers) setImmediate(() => this.emit('pong'));
  }
}

const listenTo = (peer: Peer, onSilent: () => void, heardAt = () => 0) =>
  new Heartbeat({ peer: peer as unknown as WebSocket, heardAt }, limits, onSilent);
const pinged = (peer: Peer, times: number) => {
  const until = peer.pings + times;
  return waitFor(() => peer.pings >= until, { what: `${times} pings` });
};

describe('a heartbeat', () => {
  it('tells of a peer that does not answer', async () => {
    const peer = Object.assign(new Peer(), { answers: false });
    const silent = new EventEmitter();
    const heartbeat = listenTo(peer, () => silent.emit('silent'));
    await once(silent, 'silent');
    heartbeat.stop();
    expect(peer.pings).to.be.at.least(1);
  });

  it('does not blame a peer for the time in which nobody asked it', async () => {
    const peer = new Peer();
    let silent = 0;
    const heartbeat = listenTo(peer, () => (silent += 1));
    for (let n = 0; n < 3; n += 1) {
      standStill(3 * limits.silenceMs);
      await pinged(peer, 3);
    }
    heartbeat.stop();
    expect(silent).to.equal(0);
  });

  it('takes frames for answers', async () => {
    const peer = Object.assign(new Peer(), { answers: false });
    let silent = 0;
    const heartbeat = listenTo(
      peer,
      () => (silent += 1),
      () => performance.now(),
    );
    await pinged(peer, 10);
    heartbeat.stop();
    expect(silent).to.equal(0);
  });

  it('does not judge a peer that is paused', async () => {
    const peer = Object.assign(new Peer(), { answers: false, isPaused: true });
    let silent = 0;
    const heartbeat = listenTo(peer, () => (silent += 1));
    await pinged(peer, 10);
    heartbeat.stop();
    expect(silent).to.equal(0);
  });
});

describe('a sliding timer', () => {
  it('hears what has arrived while the process stood still, and fires after that', async () => {
    const server = createServer((socket) => socket.write('beat'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(server, 'connection');
    const heard: string[] = [];
    const fired = new Promise<void>((resolve) => {
      const timer = new SlidingTimer(20, () => {
        heard.push('quiet');
        timer.stop();
        resolve();
      });
      socket.on('data', () => {
        heard.push('beat');
        timer.touch(performance.now());
      });
    });
    standStill(60);
    await fired;
    socket.destroy();
    server.close();
    expect(heard).to.deep.equal(['beat', 'quiet']);
  });
});
