import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { Turns } from '@parley/database';
import { fileLimits } from '@parley/protocol';
import { refused, type Examined } from './examined.js';
import type { GuardLimits } from './guard.js';

export type ExaminerLimits = GuardLimits & {
  /** Maximum number of files that are examined at a time. */
  readonly maxRunning: number;
  /** Maximum number of waiting files per organization. */
  readonly maxWaiting: number;
};

export const examinerLimits: ExaminerLimits = {
  maxRunning: 2,
  maxWaiting: 16,
  timeoutMs: 15_000,
  maxResidentBytes: 512 * 1024 * 1024,
};

/** A file to examine. */
export type Specimen = {
  readonly organizationId: string;
  readonly mediaType: string;
  readonly open: () => Readable;
};

export type Examiner = {
  /**
   * Examines a whole file in a separate process, so that a hang, a crash or excessive memory use
   * only affects that file. Organizations take turns.
   */
  examine(specimen: Specimen): Promise<Examined | { readonly kind: 'busy' }>;
};

export function createExaminer(limits: ExaminerLimits = examinerLimits): Examiner {
  const { maxRunning, maxWaiting } = limits;
  const turns = new Turns({
    working: maxRunning,
    workingEach: maxRunning,
    waitingEach: maxWaiting,
  });
  return {
    async examine(specimen) {
      const turn = await turns.run(specimen.organizationId, () => runExamination(specimen, limits));
      return turn?.done ?? { kind: 'busy' };
    },
  };
}

const program = fileURLToPath(new URL('./main.js', import.meta.url));
const maxHeapMegabytes = 256;

async function runExamination(
  { mediaType, open }: Specimen,
  { timeoutMs, maxResidentBytes }: ExaminerLimits,
): Promise<Examined> {
  const heap = `--max-old-space-size=${maxHeapMegabytes}`;
  const limits = JSON.stringify({ timeoutMs, maxResidentBytes } satisfies GuardLimits);
  const args = [heap, program, mediaType, String(fileLimits.textLength), limits];
  // No environment: a file that exploits the parser can reach none of our secrets.
  const child = spawn(process.execPath, args, {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => undefined); // the exit reports the first one
  const ended = once(child, 'close') as Promise<[number | null]>;
  let unread: unknown;
  const content = async function* () {
    try {
      yield* open() as AsyncIterable<Buffer>;
    } catch (error) {
      unread = error;
      throw error;
    }
  };
  // A process that ends before it has read everything is judged by its exit.
  const fed = pipeline(content, child.stdin).catch(() => child.kill('SIGKILL'));
  const [printed, [code]] = await Promise.all([text(child.stdout), ended, fed]);
  if (unread !== undefined) throw unread as Error;
  return code === 0 ? (JSON.parse(printed) as Examined) : refused('unreadable');
}
