import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { expect } from 'chai';
import { sql } from 'kysely';
import { connectDatabase } from '#src/postgres/database.js';
import { migrate } from '#src/postgres/migrate.js';

/** A message of PostgreSQL's protocol: its kind, its length, its fields. */
function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
}

const welcome = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const reason = 'terminating connection due to unexpected postmaster exit';
const farewell = message('E', Buffer.from(`SFATAL\0C57P01\0M${reason}\0\0`));

describe('a client that PostgreSQL lets in and turns out in one breath', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([...welcome, farewell])));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `postgres://x:x@127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  });
  after(() => server.close());

  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('fails its transaction, and not the process', async () => {
    const database = connectDatabase({ url });
    const failure = await failureOf(database.asSystem(({ trx }) => sql`select 1`.execute(trx)));
    expect(String(failure)).to.match(/not queryable|terminat/);
    await database.close();
  });

  it('fails its migration, and not the process', async () => {
    expect(String(await failureOf(migrate(url)))).to.match(/not queryable|terminat/);
  });
});
