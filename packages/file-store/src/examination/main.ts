import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { examineJson } from './examine-json.js';
import { pdfText } from './pdf-text.js';

/** A program: a file on its standard input, the verdict on its standard output. It is ended when it takes too much memory. */
const [mediaType, maxLength, maxResidentBytes] = process.argv.slice(2);
new Worker(new URL('./memory-guard.js', import.meta.url), { workerData: Number(maxResidentBytes) });
const examine = mediaType === 'application/pdf' ? pdfText : examineJson;
const verdict = await examine(new Uint8Array(await buffer(process.stdin)), Number(maxLength));
process.stdout.write(JSON.stringify(verdict), () => process.exit());
