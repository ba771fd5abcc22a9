import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { examineJson } from './examine-json.js';
import { pdfText } from './pdf-text.js';

/** A program: a file on its standard input, the verdict on its standard output. Its guard ends it when it takes too much. */
const [mediaType, maxLength, guardLimits = ''] = process.argv.slice(2);
new Worker(new URL('./guard.js', import.meta.url), {
  workerData: JSON.parse(guardLimits) as unknown,
});
const examine = mediaType === 'application/pdf' ? pdfText : examineJson;
const verdict = await examine(new Uint8Array(await buffer(process.stdin)), Number(maxLength));
process.stdout.write(JSON.stringify(verdict), () => process.exit());
