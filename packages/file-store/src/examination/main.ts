import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { examineJson } from './examine-json.js';
import { pdfText } from './pdf-text.js';

/**
 * A program: reads a file from standard input and writes the verdict to standard output. Its guard
 * kills it if it uses too many resources.
 */
const [mediaType, maxLength, guardLimits = ''] = process.argv.slice(2);
new Worker(new URL('./guard.js', import.meta.url), {
  workerData: JSON.parse(guardLimits) as unknown,
});
const examine = mediaType === 'application/pdf' ? pdfText : examineJson;
const verdict = await examine(new Uint8Array(await buffer(process.stdin)), Number(maxLength));
process.stdout.write(JSON.stringify(verdict), () => process.exit());
