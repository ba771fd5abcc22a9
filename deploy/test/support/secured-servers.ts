import { chmod, chown, copyFile, readFile, stat } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { startPostgresServer, type KillableServer, type PrivateCa } from '@parley/testkit';
import { Client } from 'pg';

/** A PostgreSQL that offers TLS, and its URL for clients that insist on it. */
export async function startSecuredPostgres(
  ca: PrivateCa,
): Promise<{ server: KillableServer; url: string }> {
  const server = await startPostgresServer();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await install(ca, rows[0]!.data_directory);
  await client.query('alter system set ssl = on');
  await client.query('select pg_reload_conf()');
  await client.end();
  const url = new URL(server.url);
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  return { server, url: url.href };
}

/** Under the names that PostgreSQL looks for. The key has to belong to its user alone. */
async function install({ certificate, key }: PrivateCa, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  for (const [from, name] of [
    [certificate, 'server.crt'],
    [key, 'server.key'],
  ] as const) {
    await copyFile(from, join(folder, name));
    await chown(join(folder, name), uid, gid);
    await chmod(join(folder, name), 0o600);
  }
}

/** TLS in front of a server at this machine; answers with the port. */
export async function startTlsFront(
  port: number,
  { certificate, key }: PrivateCa,
): Promise<{ port: number; close: () => void }> {
  const identity = { cert: await readFile(certificate), key: await readFile(key) };
  const server = createServer(identity, (client) => {
    const inside = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, inside],
      [inside, client],
    ] as const)
      socket.pipe(other).on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
