import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { forget, stopAtTeardown } from './teardown.js';

/** One event of a recorded session between a client and a real provider. */
export type RecordedEvent = {
  readonly from: 'client' | 'provider';
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
};

export type ReplayProvider = {
  /** The value for PROVIDER_BASE_URL. */
  readonly url: string;
  /** Every text that the provider's side sent, unchanged. */
  readonly sent: string[];
  readonly received: string[];
  /**
   * Resolves when the recording has been played to its end; rejects if the client deviates from it.
   */
  readonly played: Promise<void>;
  stop(): Promise<void>;
};

/** The recordings in the folder PROVIDER_DATA, by file name; undefined if it is not set. */
export async function recordings(): Promise<Map<string, RecordedEvent[]> | undefined> {
  const data = process.env['PROVIDER_DATA'];
  if (data === undefined || data === '') return undefined;
  const folder = join(data, 'provider-recordings');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const read = async (name: string) => {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter(Boolean);
    return [name, lines.map((line) => JSON.parse(line) as RecordedEvent)] as const;
  };
  return new Map(await Promise.all(names.map(read)));
}

/**
 * Plays the provider's side of a recording to the first client that connects, and waits for each
 * recorded event of the client.
 */
export async function startReplayProvider(
  recording: readonly RecordedEvent[],
): Promise<ReplayProvider> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const [sent, received]: [string[], string[]] = [[], []];
  const played = once(server, 'connection').then(([socket]) =>
    play(socket as WebSocket, recording, { sent, received }),
  );
  // Whoever waits for it gets the error; a test that fails earlier does not wait.
  played.catch(() => undefined);
  const { port } = server.address() as AddressInfo;
  const provider: ReplayProvider = {
    url: `http://127.0.0.1:${port}/v1`,
    sent,
    received,
    played,
    stop: async () => {
      forget(provider);
      for (const socket of server.clients) socket.terminate();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
  stopAtTeardown(provider);
  return provider;
}

async function play(
  socket: WebSocket,
  recording: readonly RecordedEvent[],
  { sent, received }: { sent: string[]; received: string[] },
): Promise<void> {
  let heard: () => void = () => undefined;
  socket.on('message', (data) => {
    received.push((data as Buffer).toString());
    heard();
  });
  let turn = 0;
  for (const { from, event } of recording) {
    if (from === 'provider') {
      const text = JSON.stringify(event);
      sent.push(text);
      socket.send(text);
      continue;
    }
    while (received.length <= turn) await new Promise<void>((resolve) => (heard = resolve));
    const { type } = JSON.parse(received[turn] ?? '{}') as { type?: unknown };
    if (type !== event.type) throw new Error(`Recorded: ${event.type}; received: ${String(type)}`);
    turn += 1;
  }
}
