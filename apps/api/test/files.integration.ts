import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { Client } from 'pg';
import { helloPdf, waitFor } from '@parley/testkit';
import type { TemporaryFile } from '@parley/protocol';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import { problemCode } from './support/contract-client.js';
import { formOf, formType, upload, type Part } from './support/upload.js';

const maxFileBytes = 1_000_000;

describe('temporary files', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  let owner: Client;

  before(async () => {
    api = await startApi({ maxFileBytes });
    tenant = await api.organization();
    owner = new Client({ connectionString: api.databaseUrl });
    await owner.connect();
  });
  after(async () => {
    await owner.end();
    await api.stop();
  });

  const left = async (): Promise<object> => {
    const { rows } = await owner.query<object>(
      `select (select count(*)::int from temporary_files) as files,
              (select count(*)::int from temporary_file_chunks) as chunks`,
    );
    return rows[0] ?? {};
  };
  const stored = async (part: Part): Promise<TemporaryFile> => {
    const reply = await upload(tenant, part);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body as TemporaryFile;
  };
  const download = (id: string, { key, id: organizationId }: Tenant = tenant) =>
    fetch(`${api.url}/api/v1/TemporaryFile/${id}/content`, {
      headers: { 'X-Api-Key': key, 'X-Org-Id': organizationId },
    });

  it('are uploaded, read, downloaded byte for byte and deleted, on the audit record', async () => {
    const content = Buffer.from('\uFEFFUmsätze, naïve – 你好 👋\r\n'.repeat(9000));
    const reply = await upload(tenant, { content, name: 'Umsätze 你好.csv', type: 'text/plain' });
    const file = reply.body as TemporaryFile;
    expect(reply.headers.get('location')).to.equal(`/api/v1/TemporaryFile/${file.id}`);
    expect(file).to.include({
      name: 'Umsätze 你好.csv',
      mediaType: 'text/csv',
      sizeBytes: content.length,
      characters: content.toString().length - 1,
      textTruncated: false,
    });
    expect(Date.parse(file.expiresAt) - Date.parse(file.createdAt)).to.be.closeTo(
      86_400_000,
      60_000,
    );
    expect((await tenant.client.get(`/api/v1/TemporaryFile/${file.id}`)).body).to.deep.equal(file);
    const got = await download(file.id);
    expect(got.headers.get('content-type')).to.equal('text/csv');
    expect(got.headers.get('content-length')).to.equal(String(content.length));
    expect(got.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(got.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(got.headers.get('content-disposition')).to.match(
      /^attachment; filename="Ums.*"; filename\*=UTF-8''Ums%C3%A4tze%20%E4%BD%A0%E5%A5%BD.csv$/,
    );
    expect(Buffer.from(await got.arrayBuffer()).equals(content)).to.equal(true);
    expect((await tenant.client.delete(`/api/v1/TemporaryFile/${file.id}`)).status).to.equal(204);
    expect((await download(file.id)).status).to.equal(404);
    expect(await left()).to.deep.equal({ files: 0, chunks: 0 });
    const { rows } = await owner.query<{ action: string; resource_id: string }>(
      'select action, resource_id from audit_log where organization_id = $1 order by sequence',
      [tenant.id],
    );
    expect(rows).to.deep.equal([
      { action: 'temporaryFile.uploaded', resource_id: file.id },
      { action: 'temporaryFile.deleted', resource_id: file.id },
    ]);
  });

  it('are told apart by what is in them', async () => {
    const cases: [Part, string][] = [
      [{ content: 'a,b\n1,2\n', name: 'x.csv' }, 'text/csv'],
      [{ content: '<p align="center">Hi</p>\n# T', name: 'README.md' }, 'text/markdown'],
      [{ content: '{"a": [1]}', name: 'x', type: 'application/json' }, 'application/json'],
      [{ content: helloPdf, name: 'x.txt', type: 'text/plain' }, 'application/pdf'],
      [{ content: 'plain', name: 'x.log', type: 'application/octet-stream' }, 'text/plain'],
      [{ content: Buffer.from('\uFEFFzwei', 'utf16le'), name: 'x.txt' }, 'text/plain'],
    ];
    for (const [part, mediaType] of cases)
      expect(await stored(part), part.name ?? '').to.include({ mediaType });
  });

  const unsupported: Record<string, Part> = {
    'a web page': { content: '  <!DOCTYPE html><p>hi', name: 'x.txt' },
    'a web page behind a comment': { content: '<!-- hm --><html>', name: 'x.md' },
    'what is called a web page': { content: 'hello', name: 'x.html' },
    'an SVG picture': { content: '<svg onload="alert(1)">', name: 'x.txt', type: 'text/plain' },
    'a zip archive called text': { content: Buffer.from('504b030414000000', 'hex') },
    'a program': { content: Buffer.from('4d5a90000300', 'hex'), name: 'x.pdf' },
    'text called PDF': { content: 'I am no PDF', name: 'x.pdf' },
    'text that is not UTF-8': { content: Buffer.from([0x67, 0xfc, 0x74]) },
    'text that breaks off inside a character': { content: Buffer.from([0x61, 0xc3]) },
    'text that stops being text late': { content: Buffer.from(`${'a'.repeat(500_000)}\0`) },
  };
  for (const [what, part] of Object.entries(unsupported))
    it(`refuse ${what} and keep nothing of it`, async () => {
      const before = await left();
      const reply = await upload(tenant, part);
      expect([reply.status, problemCode(reply)]).to.deep.equal([415, 'file-type-unsupported']);
      expect(await left()).to.deep.equal(before);
    });

  const file = { content: 'text' };
  const bad: Record<string, [form: Uint8Array, status: number, code: string, type?: string]> = {
    'an empty file': [formOf([{ content: '' }]), 400, 'body-invalid'],
    'a file of blanks': [formOf([{ content: ' \n\t ' }]), 400, 'body-invalid'],
    'broken JSON': [formOf([{ content: '{"a":', name: 'x.json' }]), 400, 'body-invalid'],
    'a PDF of garbage': [
      formOf([{ content: `%PDF-1.7\n${'\xff\0garbage'.repeat(99)}` }]),
      400,
      'body-invalid',
    ],
    'a file in another field': [formOf([{ ...file, field: 'data' }]), 400, 'body-invalid'],
    'a field instead of a file': [formOf([{ ...file, name: null }]), 400, 'body-invalid'],
    'two files': [formOf([file, file]), 400, 'body-invalid'],
    'a thousand parts': [
      formOf(Array.from({ length: 1000 }, () => ({ ...file, name: null }))),
      400,
      'body-invalid',
    ],
    'a field beside the file': [
      formOf([file, { ...file, name: null, field: 'x' }]),
      400,
      'body-invalid',
    ],
    'a form that is wrong in two ways': [
      formOf(['a', '\x0f'].map((field) => ({ ...file, name: null, field }))),
      400,
      'body-malformed',
    ],
    'no part at all': [formOf([]), 400, 'body-invalid'],
    nothing: [new Uint8Array(), 400, 'body-malformed'],
    'a form without its end': [formOf([file], { end: '' }), 400, 'body-malformed'],
    'a form that breaks off in the header': [formOf([]).subarray(0, 10), 400, 'body-malformed'],
    'huge headers of a part': [
      formOf([{ ...file, headers: [`X: ${'x'.repeat(40_000)}`] }]),
      400,
      'body-malformed',
    ],
    'no boundary': [formOf([file]), 400, 'body-malformed', 'multipart/form-data'],
    JSON: [Buffer.from('{}'), 415, 'media-type-unsupported', 'application/json'],
    'another kind of multipart': [
      formOf([file]),
      415,
      'media-type-unsupported',
      'multipart/mixed; boundary=x',
    ],
    'a file over the limit': [
      formOf([{ content: 'a'.repeat(maxFileBytes + 1) }]),
      413,
      'body-too-large',
    ],
    'a body far over the limit': [
      formOf([{ content: 'a'.repeat(2 * maxFileBytes) }]),
      413,
      'body-too-large',
    ],
  };
  for (const [what, [form, status, code, type]] of Object.entries(bad))
    it(`refuse ${what} and keep nothing of it`, async () => {
      const before = await left();
      const reply = await upload(tenant, form, type);
      expect([reply.status, problemCode(reply)]).to.deep.equal([status, code]);
      expect(await left()).to.deep.equal(before);
    });

  it('accept a file of exactly the limit', async () => {
    expect((await stored({ content: 'a'.repeat(maxFileBytes) })).sizeBytes).to.equal(maxFileBytes);
  });

  const names: [sent: string, kept: string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system32\\evil.txt', 'evil.txt'],
    ['..', 'file'],
    ['', 'file'],
    ['a\u202Efdp.txt', 'afdp.txt'],
    [`${'n'.repeat(300)}.md`, 'n'.repeat(255)],
  ];
  for (const [sent, kept] of names)
    it(`keep ${JSON.stringify(sent.slice(0, 30))} under a harmless name`, async () => {
      const { id, name } = await stored({
        content: 'x',
        name: sent,
        type: 'application/octet-stream',
      });
      expect(name).to.equal(kept);
      expect((await download(id)).headers.get('content-disposition')).to.match(
        /^attachment; filename/,
      );
    });

  it('are not there for another organization, after their time, and under a made-up id, all alike', async () => {
    const [{ id }, { id: expired }] = [await stored(file), await stored(file)];
    await owner.query('update temporary_files set expires_at = now() where id = $1', [expired]);
    const other = await api.organization();
    const answers = [];
    for (const [who, which] of [
      [other, id],
      [tenant, expired],
      [tenant, randomUUID()],
    ] as const)
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/content'],
        ['DELETE', ''],
      ] as const) {
        const { status, body } = await who.client.request(
          method,
          `/api/v1/TemporaryFile/${which}${path}`,
        );
        answers.push(JSON.stringify({ status, body }));
      }
    expect(new Set(answers).size).to.equal(1);
    expect(answers[0]).to.include('"status":404');
    expect((await download(id)).status).to.equal(200);
  });

  it('need the scope', async () => {
    const reply = await upload(await api.organization({ scopes: ['agents'] }), file);
    expect(problemCode(reply)).to.equal('scope-missing');
  });

  it('are many at once, each with its own bytes', async () => {
    const contents = Array.from({ length: 12 }, (_, n) => `${n} `.repeat(100_000));
    const files = await Promise.all(contents.map((content) => stored({ content })));
    const got = await Promise.all(files.map(async ({ id }) => (await download(id)).text()));
    expect(got).to.deep.equal(contents);
  });

  /** Sends the beginning of an upload whose length is known only at its end. */
  const begin = (chunk: Buffer) => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    const head = [
      'POST /api/v1/TemporaryFile HTTP/1.1',
      `Host: ${hostname}`,
      `X-Api-Key: ${tenant.key}`,
      `X-Org-Id: ${tenant.id}`,
      `Content-Type: ${formType}`,
      'Transfer-Encoding: chunked',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const send = (bytes: Buffer) =>
      socket.write(
        Buffer.concat([
          Buffer.from(`${bytes.length.toString(16)}\r\n`),
          bytes,
          Buffer.from('\r\n'),
        ]),
      );
    send(chunk);
    return { socket, send };
  };

  it('leave nothing of a client that vanishes in the middle', async () => {
    const before = await left();
    const { socket } = begin(formOf([{ content: 'a'.repeat(600_000) }], { end: '' }));
    await waitFor(async () => JSON.stringify(await left()) !== JSON.stringify(before), {
      what: 'the upload to begin',
    });
    socket.destroy();
    await waitFor(async () => JSON.stringify(await left()) === JSON.stringify(before), {
      what: 'the upload to be cleared away',
    });
    expect(await left()).to.deep.equal(before);
  });

  it('tell a client that sends for ever, and then hang up', async () => {
    const before = await left();
    const { socket, send } = begin(formOf([{ content: 'a'.repeat(900_000) }], { end: '' }));
    const answer = once(socket, 'data') as Promise<[Buffer]>;
    const timer = setInterval(() => send(Buffer.alloc(64 * 1024, 'a')), 5);
    try {
      expect((await answer)[0].toString()).to.match(/^HTTP\/1.1 413/);
      // Whoever is hung up on while it sends may see a reset first.
      if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    } finally {
      clearInterval(timer);
    }
    expect(await left()).to.deep.equal(before);
  });

  it('are a 503 while the storage of a file is not there', async () => {
    const { id } = await stored(file);
    await owner.query(`update temporary_files set storage = 's3' where id = $1`, [id]);
    const reply = await tenant.client.get(`/api/v1/TemporaryFile/${id}/content`);
    expect(problemCode(reply)).to.equal('service-unavailable');
  });

  it('end a download early rather than quietly when bytes are lost', async () => {
    const { id } = await stored({ content: 'a'.repeat(700_000) });
    await owner.query('delete from temporary_file_chunks where file_id = $1 and position = 2', [
      id,
    ]);
    const outcome = await download(id)
      .then(async (response) => response.arrayBuffer())
      .catch(() => 'broken off');
    expect(outcome).to.equal('broken off');
  });
});
