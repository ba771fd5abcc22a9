import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

export type NameServer = {
  /** As it is written in a list of name servers. */
  readonly address: string;
  /** Resolves once it was asked for this many names. */
  asked(names: number): Promise<void>;
  close(): void;
};

const [noError, nameError, answered] = [0, 3, 0x8180];
const types = new Map([
  [1, 'ipv4'],
  [28, 'ipv6'],
]);

/**
 * A name server that knows the addresses of some names. It says that others do not exist, or does
 * not answer at all.
 */
export async function startNameServer(
  known: Readonly<Record<string, readonly string[]>> | 'silent',
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const names = new Set<string>();
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = question(query);
    names.add(name);
    socket.emit('asked');
    if (known === 'silent') return;
    const addresses = known[name]?.map((text) => ipaddr.parse(text));
    const records = addresses?.filter((one) => one.kind() === types.get(type)) ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answered + (addresses ? noError : nameError), 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    const answers = records.map((one) => record(type, one.toByteArray()));
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async asked(count) {
      while (names.size < count) await once(socket, 'asked');
    },
    close: () => socket.close(),
  };
}

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Of the name that was asked for, in the class of the internet, valid for no time. */
function record(type: number, address: readonly number[]): Buffer {
  const [nameOfQuestion, internet, size] = [
    [0xc0, 12],
    [0, 1],
    [0, address.length],
  ];
  return Buffer.from([...nameOfQuestion, 0, type, ...internet, 0, 0, 0, 0, ...size, ...address]);
}
