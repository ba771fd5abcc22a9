import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import fc from 'fast-check';
import { Problem } from '@parley/protocol';
import { fuzz } from '@parley/testkit';
import type { Caller } from '#src/http/call.js';
import { uploadReader, type Upload } from '#src/http/upload-body.js';

const boundary = 'b0undary';
const maxBytes = 1000;

/** A form of one file, as a browser sends it. */
function formOf(content: Buffer, name = 'a.txt'): Buffer {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

const allowed = () => Promise.resolve({} as Caller);

describe('the form of an upload', () => {
  let server: Server;
  let port: number;

  before(async () => {
    const read = uploadReader({ field: 'file', maxBytes });
    server = createServer((request, response) => {
      const own = Object.assign(response, { locals: {} }) as unknown as Response;
      void read({ request: request as unknown as Request, response: own }, allowed)
        .then(async ({ value }) => {
          const { name, content } = value as Upload;
          const bytes = await buffer(Readable.from(content));
          response.end(JSON.stringify({ name, content: bytes.toString('hex') }));
        })
        .catch((error: unknown) => {
          response.statusCode = error instanceof Problem ? error.status : 500;
          response.setHeader('Connection', 'close');
          response.end(String(error));
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => server.close());

  /** The answer to exactly these bytes, in pieces of `step`. */
  const sent = async (body: Buffer, step = body.length) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    for (let at = 0; at < body.length; at += Math.max(step, 1))
      socket.write(body.subarray(at, at + Math.max(step, 1)));
    const answer = await text(socket);
    const [, status, content] = /^HTTP\/1\.1 (\d+)[^]*?\r\n\r\n([^]*)$/.exec(answer) ?? [];
    return { status: Number(status), content };
  };

  it('arrives whole, whatever the file holds and in whatever pieces', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\r\n', '--', `--${boundary.slice(0, 5)}`, '\r\n--', '\r')
        .map((each) => Buffer.from(each)),
    );
    const content = fc.array(piece, { maxLength: 8 }).map((pieces) => Buffer.concat(pieces));
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 60 }), async (file, step) => {
        fc.pre(!file.includes(`--${boundary}`));
        const answer = await sent(formOf(file), step);
        expect(answer.status, answer.content).to.equal(200);
        expect(answer.content).to.include(`"content":"${file.toString('hex')}"`);
      }),
      fuzz(40),
    );
  });

  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n`;
  const openEnds = [
    `\r\n--${boundary}\r\n--\r\n`,
    `\r\n--${boundary}\r\n--`,
    `--${boundary}\r\n\r\n--`,
    `\r\n--${boundary}\r\n\r\nx\r\n\r\nno header\r`,
    `no header\r\n${head}\r\nx`,
  ];
  for (const rest of openEnds)
    it(`is refused if its headers go on with ${JSON.stringify(rest)}`, async () => {
      expect(await sent(Buffer.from(head + rest))).to.deep.equal({
        status: 400,
        content: 'Problem: The body is not a complete multipart form.',
      });
    });

  it('is read or refused with 4xx, whatever follows the headers of its file', async () => {
    const token = fc.constantFrom(`--${boundary}`, '\r\n', head, 'x', '--', 'no header', '\r', '-');
    await fc.assert(
      fc.asyncProperty(
        fc.array(token, { maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 500 }),
        async (rest, ended, step) => {
          const end = ended ? `\r\n--${boundary}--\r\n` : '';
          const { status, content } = await sent(Buffer.from(head + rest.join('') + end), step);
          expect([200, 400], content).to.include(status);
        },
      ),
      fuzz(200),
    );
  });

  it('is read or refused with 4xx, whatever is damaged in it', async () => {
    const whole = formOf(Buffer.from('hello'));
    const change = fc.record({
      at: fc.nat(whole.length - 1),
      remove: fc.nat(20),
      insert: fc.oneof(
        fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
        fc
          .constantFrom(
            `--${boundary}\r\n`,
            `--${boundary}--`,
            '\r\n\r\n',
            'Content-Type: x/y\r\n',
            "filename*=UTF-8''%zz",
            '; name="other"',
            'x'.repeat(20_000),
          )
          .map((each) => Buffer.from(each)),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let body = whole;
        for (const { at, remove, insert } of changes)
          body = Buffer.concat([body.subarray(0, at), insert, body.subarray(at + remove)]);
        const { status, content } = await sent(body);
        expect(status === 200 || (status >= 400 && status < 500), `${status} ${content}`).to.equal(
          true,
        );
      }),
      fuzz(80),
    );
  });
});
