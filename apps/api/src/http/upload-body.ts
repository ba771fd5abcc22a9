import { createHash, type Hash } from 'node:crypto';
import busboy from 'busboy';
import type { Readable } from 'node:stream';
import type { Request } from 'express';
import { Problem } from '@parley/protocol';
import { liftBodyDeadline } from './body-deadline.js';
import type { CurrentCaller } from './current-caller.js';
import type { Exchange } from './exchange.js';
import { sha256, type ReadBody } from './json-body.js';

/**
 * The only file of a multipart body. Its content ends without an error only if the whole body was
 * valid, and its caller still may send it.
 */
export type Upload = {
  /** As the sender specified it, without folders. */
  readonly name: string;
  /** As the sender specified it. */
  readonly mediaType: string;
  readonly content: AsyncIterable<Buffer>;
};

export type UploadRules = { readonly field: string; readonly maxBytes: number };

/** A part without a file name is also a file if its type is binary. */
type PartInfo = { readonly filename?: string; readonly mimeType: string };

/** Allowance for boundaries and the headers of the part. */
const wrappingBytes = 64 * 1024;

/** How long a caller whose upload is refused may keep sending before its connection is cut. */
const lingerMs = 2000;

/** Reads a multipart body as it arrives: the file is not read before its content is requested. */
export function uploadReader(rules: UploadRules) {
  return async ({ request, response }: Exchange, current: CurrentCaller): Promise<ReadBody> => {
    liftBodyDeadline(response);
    response.once('finish', () => linger(request));
    if (Number(request.headers['content-length'] ?? 0) > rules.maxBytes + wrappingBytes)
      throw tooLarge(rules);
    const upload = await firstFile(request, openForm(request), rules);
    const hash = createHash('sha256');
    const content = hashed(whileAllowed(upload.content, current), hash);
    return {
      value: { ...upload, content } satisfies Upload,
      digest: () => sha256(Buffer.from(JSON.stringify([upload.name, upload.mediaType]))),
      async lateDigest() {
        await readOut(content);
        return hash.copy().digest('hex');
      },
    };
  };
}

async function* whileAllowed(
  content: AsyncIterable<Buffer>,
  current: CurrentCaller,
): AsyncGenerator<Buffer> {
  yield* content;
  await current();
}

async function* hashed(content: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    hash.update(bytes);
    yield bytes;
  }
}

async function readOut(content: AsyncGenerator<Buffer>): Promise<void> {
  let step = await content.next();
  while (!step.done) step = await content.next();
}

function openForm(request: Request): busboy.Busboy {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Problem('media-type-unsupported', 'Send the file as multipart/form-data.');
  if (!/^(identity)?$/i.test(request.headers['content-encoding'] ?? ''))
    throw new Problem('media-type-unsupported', 'Send the form without a Content-Encoding.');
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { files: 1, fields: 0, headerPairs: 100 },
    });
  } catch {
    throw new Problem('body-malformed', 'The Content-Type has no boundary.');
  }
}

async function firstFile(
  request: Request,
  form: busboy.Busboy,
  rules: UploadRules,
): Promise<Upload> {
  const whole = wholeForm(request, form, rules);
  const first = new Promise<Upload>((resolve) => {
    form.once('file', (field: string, stream: Readable, part: PartInfo) => {
      // Whoever reads the content gets the error; nobody else needs it.
      stream.on('error', () => undefined);
      // busboy parses the rest of a chunk even after an error in it.
      if (form.destroyed) return;
      if (field !== rules.field) form.destroy(surplus());
      const content = contentOf(stream, whole, rules);
      resolve({ name: part.filename ?? '', mediaType: part.mimeType, content });
    });
  });
  const none = whole.then(() => {
    throw invalid(rules.field, 'is missing: send one file in this field');
  });
  none.catch(() => undefined);
  return Promise.race([first, none]);
}

/** Settles at the end of the form, or as soon as it cannot be accepted. */
function wholeForm(request: Request, form: busboy.Busboy, rules: UploadRules): Promise<void> {
  let received = 0;
  request.on('data', (bytes: Buffer) => {
    received += bytes.length;
    if (received > rules.maxBytes + wrappingBytes) form.destroy(tooLarge(rules));
  });
  request.once('close', () => {
    if (!request.complete)
      form.destroy(new Problem('request-malformed', 'The connection was lost during the upload.'));
  });
  for (const event of ['filesLimit', 'fieldsLimit'] as const)
    form.once(event, () => form.destroy(surplus()));
  const whole = new Promise<void>((resolve, reject) => {
    form.once('close', resolve).on('error', (error) => {
      reject(problemOf(error));
      // After a malformed header, busboy would leave the file open.
      form.destroy(error as Error);
    });
  });
  whole.catch(() => undefined);
  feed(request, form);
  return whole;
}

/**
 * Feeds the form with the request, and refuses a form that ends while its file is still open. busboy
 * misses that if a boundary follows the headers of the file directly: it would wait forever for the
 * end of the file.
 */
function feed(request: Request, form: busboy.Busboy): void {
  let allWasRead = false;
  let fileIsOpen = false;
  const refuseOpenEnd = () => {
    if (allWasRead && fileIsOpen) form.destroy(new Error('The form ends inside of its file.'));
  };
  form.once('file', (_field, file: Readable) => {
    fileIsOpen = true;
    const push = file.push.bind(file);
    file.push = (bytes: Buffer | null) => {
      fileIsOpen &&= bytes !== null;
      return push(bytes);
    };
    refuseOpenEnd();
  });
  request.pipe(form, { end: false });
  request.once('end', () =>
    form.write('', () => {
      allWasRead = true;
      refuseOpenEnd();
      form.end();
    }),
  );
}

async function* contentOf(
  stream: Readable,
  whole: Promise<void>,
  rules: UploadRules,
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const bytes of stream as AsyncIterable<Buffer>) {
      size += bytes.length;
      if (size > rules.maxBytes) throw tooLarge(rules);
      yield bytes;
    }
  } catch (error) {
    throw problemOf(error);
  }
  await whole;
}

/**
 * Lets a caller that is still sending read its response: cutting the connection immediately would
 * lose the response.
 */
function linger(request: Request): void {
  if (request.complete) return;
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.socket.destroy(), lingerMs);
  request.once('close', () => clearTimeout(timer));
}

function tooLarge({ maxBytes }: UploadRules): Problem {
  return new Problem('body-too-large', `The file is larger than ${maxBytes} bytes.`);
}

function surplus(): Problem {
  return new Problem('body-invalid', 'The form must contain one file and nothing else.');
}

function invalid(field: string, message: string): Problem {
  return new Problem('body-invalid', 'The file cannot be accepted.', {
    errors: [{ path: `/${field}`, message }],
  });
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('body-malformed', 'The body is not a complete multipart form.', {
    cause: error,
  });
}
