import { expect } from 'chai';
import fc from 'fast-check';
import { redactLine, scrub } from '#src/redaction.js';

const apiKey = 'parley_live_4fJ2mZ8qLw0RtYxBn6KdVe1sGh3aUcPo9iTfWlQzXvMbNjSr5y';

const redacted = (fields: unknown): unknown => JSON.parse(redactLine(JSON.stringify(fields)));

describe('scrub', () => {
  const cases = [
    ['an API key', `key ${apiKey} refused`, 'key [redacted] refused'],
    ['an API key inside a word', `x${apiKey}`, 'x[redacted]'],
    ['a provider key', 'Incorrect key: sk-proj-abc_DEF-123456.', 'Incorrect key: [redacted].'],
    ['a provider key on a line of its own', 'a\nsk-abcdefgh12', 'a\n[redacted]'],
    ['a bearer token', 'authorization: Bearer abc.def-ghi==', 'authorization: Bearer [redacted]'],
    ['a bearer token in lower case', 'bearer   a', 'bearer   [redacted]'],
    [
      'basic credentials',
      'authorization: Basic dXNlcjpzM2NyZXQ=',
      'authorization: Basic [redacted]',
    ],
    ['a webhook’s secret', 'secret whsec_C2FVsBQIhrscChlQIMV+b5sS', 'secret [redacted]'],
    ...[0, 1, 2].map((before) => {
      const text = Buffer.from('x'.repeat(before) + apiKey).toString('base64');
      const start = text.slice(0, [0, 2, 4][before]);
      return [`an API key in base64 after ${before} bytes`, text, `${start}[redacted]`] as const;
    }),
    ['an API key in hex', Buffer.from(apiKey).toString('hex'), '[redacted]'],
    ['a session token', 'GET /x?sessionId=abc-_1&a=b', 'GET /x?sessionId=[redacted]&a=b'],
    [
      'an encoded session token',
      'next=%2Fx%3FsessionId%3Dabc',
      'next=%2Fx%3FsessionId%3D[redacted]',
    ],
    ['a session token in JSON', '{"sessionId": "abc"}', '{"sessionId": "[redacted]"}'],
    [
      'a session token in quoted JSON',
      '\\\\"sessionId\\\\":\\\\"abc\\\\"',
      '\\\\"sessionId\\\\":\\\\"[redacted]\\\\"',
    ],
    [
      'the credentials of a URL',
      'connect redis://:p%40ss@redis:6379/0 and postgres://u:p@db/x',
      'connect redis://[redacted]@redis:6379/0 and postgres://[redacted]@db/x',
    ],
  ] as const;
  for (const [what, text, clean] of cases)
    it(`blanks ${what}`, () => expect(scrub(text)).to.equal(clean));

  for (const text of [
    'parley_http_request_duration_seconds',
    'task-force risk-assessment disk-usage',
    'https://host/path@v1 user@example.com',
    'session 1 of 2',
    'Basic authentication is not supported',
  ])
    it(`leaves "${text}" alone`, () => expect(scrub(text)).to.equal(text));
});

describe('redactLine', () => {
  it('takes time in proportion to the length of a text', () => {
    for (const piece of [
      'a',
      'parley_',
      'parley_a_',
      'sk-',
      'Bearer ',
      '://',
      'sessionId',
      'http://a',
    ])
      expect(redactLine(JSON.stringify({ text: piece.repeat(200_000 / piece.length) }))).to.be.a(
        'string',
      );
  });

  it('blanks a secret by its name, however it is spelled', () => {
    for (const name of [
      'apiKey',
      'x-api-key',
      'X_API_KEY',
      'key',
      'token',
      'sessionToken',
      'sessionId',
      'secret',
      'clientSecret',
      'secrets',
      'password',
      'Authorization',
      'proxy-authorization',
      'cookie',
      'set-cookie',
      'SECRETS_KEY',
      'SECRETS_KEY_PREVIOUS',
      'DATABASE_URL',
      'databaseUrl',
      'REDIS_URL',
    ])
      for (const value of ['hush', ['hush'], { deep: 'hush' }, 12])
        expect(redacted({ [name]: value }), name).to.deep.equal({ [name]: '[redacted]' });
  });

  it('keeps what only sounds like a secret', () => {
    const fields = {
      keyId: 'k1',
      realtimeSessionId: 's1',
      inputTokens: 12,
      tokens: 3,
      agentId: 'a',
      token: null,
    };
    expect(redacted(fields)).to.deep.equal(fields);
  });

  it('cuts the query off a URL', () => {
    expect(
      redacted({
        url: '/api/v1/Agent/a/realtime?conversationId=c&x=y',
        webSocketPath: '/x?sessionId=y',
        baseUrl: 'https://host/v1#z',
      }),
    ).to.deep.equal({
      url: '/api/v1/Agent/a/realtime',
      webSocketPath: '/x',
      baseUrl: 'https://host/v1',
    });
  });

  it('finds a secret at any depth, by name or by shape', () => {
    const secret = fc.constantFrom<[object, string]>(
      [{ apiKey: 'hush' }, 'hush'],
      [{ message: `refused ${apiKey}` }, apiKey],
    );
    const path = fc.array(fc.constantFrom('list', 'field'), { maxLength: 30 });
    fc.assert(
      fc.property(secret, path, ([leaf, word], steps) => {
        const fields = steps.reduce<object>(
          (inner, step) => (step === 'list' ? { list: [inner] } : { field: inner }),
          leaf,
        );
        expect(redactLine(JSON.stringify(fields))).not.to.include(word);
      }),
    );
  });

  it('changes nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.boolean(), fc.constant(null))), (items) => {
        expect(redacted({ items, when: 'now' })).to.deep.equal({ items, when: 'now' });
      }),
    );
  });

  it('does not depend on whether the line has to be parsed', () => {
    const piece = fc.oneof(
      fc.constantFrom('parley_live_', 'SK-', 'bearer ', 'Sessionid=', 'Basic ', 'whsec_', '7061'),
      fc.constantFrom(
        'cGFybGV5X',
        'BhcmxleV',
        'YXJsZXlf',
        '7061726C65795f',
        'p',
        's',
        'é',
        '{',
        '[',
      ),
      fc.constantFrom('":', '"', 'abcdefgh12345678', ' ', '/?a=b', '@', 'token', 'url', 'key'),
    );
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    const value = fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(text, text));
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 4 }), (fields) => {
        // Whatever has an escape is parsed.
        const { escape: _, ...parsed } = redacted({ ...fields, escape: '\\' }) as {
          escape: string;
        };
        expect(redacted(fields)).to.deep.equal(parsed);
      }),
    );
  });

  it('writes one line, and keeps a field called __proto__ a field', () => {
    const line = redactLine('{"__proto__":{"apiKey":"hush"},"msg":"a\\nb"}\n');
    expect(line).to.equal('{"__proto__":{"apiKey":"[redacted]"},"msg":"a\\nb"}\n');
  });

  it('scrubs even what is not JSON', () => {
    expect(redactLine(`oops ${apiKey}`)).to.equal('oops [redacted]');
  });
});

describe('a line in which nothing can be secret', () => {
  it('is written as it is, byte for byte', () => {
    const line = '{"level":"info", "route":"/Agent/{agentId}","status":200,"keyId":"3f0c"}\n';
    expect(redactLine(line)).to.equal(line);
  });

  const hidden: [string, string][] = [
    ['in the name of a field with odd punctuation', '{"to-Ken_":"abc"}'],
    ['in an escaped name', '{"x\\u0009token":"abc"}'],
    ['deep inside', `${'{"a":'.repeat(18)}{"password":"abc"}${'}'.repeat(18)}`],
    ['behind an escape', '{"msg":"\\u0073k-abcdefgh12"}'],
    ['in the query of a URL', '{"url":"/x?a=abc"}'],
    ['after many lines without', '{"apiKey":"abc"}'],
  ];
  for (const [where, line] of hidden)
    it(`is not one that has a secret ${where}`, () => {
      for (let n = 0; n < 5; n += 1) redactLine('{"level":"info"}');
      expect(redactLine(line)).not.to.match(/abc/);
    });
});
