import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type pg from 'pg';
import { FreeConnections } from '#src/postgres/free-connections.js';

class Client extends EventEmitter {
  readonly releases: unknown[] = [];

  release(destroy?: boolean): void {
    this.releases.push(destroy);
  }
}

class Pool extends EventEmitter {
  waitingCount = 0;
  ended = false;

  end(): Promise<void> {
    this.ended = true;
    return Promise.resolve();
  }
}

describe('the free connections of a pool', () => {
  const broken: Error[] = [];
  let pool: Pool;
  let free: FreeConnections;
  const connected = () => {
    const client = new Client();
    pool.emit('connect', client);
    return client;
  };
  const keep = (client: Client) => free.keep(client as unknown as pg.PoolClient);

  beforeEach(() => {
    broken.length = 0;
    pool = new Pool();
    free = new FreeConnections(pool as unknown as pg.Pool, (error) => broken.push(error));
  });
  afterEach(() => free.end());

  it('go to whoever asks next, the last one first', () => {
    const [first, second] = [connected(), connected()];
    keep(first);
    keep(second);
    expect([free.take(), free.take(), free.take()]).to.deep.equal([second, first, undefined]);
    expect([...first.releases, ...second.releases]).to.deep.equal([]);
  });

  it('return to the pool if somebody waits there', () => {
    const client = connected();
    pool.waitingCount = 1;
    keep(client);
    expect(client.releases).to.deep.equal([undefined]);
    expect(free.take()).to.equal(undefined);
  });

  it('are closed when they break, and not handed out', () => {
    const [whole, bad] = [connected(), connected()];
    keep(whole);
    keep(bad);
    const error = new Error('terminated');
    bad.emit('error', error);
    expect(bad.releases).to.deep.equal([true]);
    expect(broken).to.deep.equal([error]);
    expect([free.take(), free.take()]).to.deep.equal([whole, undefined]);
  });

  it('are left to whoever holds them when they break in use, and closed afterwards', () => {
    const client = connected();
    client.emit('error', new Error('terminated'));
    expect(client.releases).to.deep.equal([]);
    keep(client);
    expect(client.releases).to.deep.equal([true]);
    expect(free.take()).to.equal(undefined);
    expect(broken).to.deep.equal([]);
  });

  it('return to the pool when it ends, then and later', async () => {
    const [idle, busy] = [connected(), connected()];
    keep(idle);
    await free.end();
    keep(busy);
    expect(pool.ended).to.equal(true);
    expect([idle.releases, busy.releases]).to.deep.equal([[undefined], [undefined]]);
  });
});
