import { expect } from 'chai';
import { headersOf, ParleyApiError, ParleyConnectionError } from '#src/server/index.js';
import {
  broken,
  failureOf,
  json,
  problem,
  scriptedService,
  silence,
  type Scripted,
} from './support/scripted-service.js';

const agent = { id: 'a', name: 'A' };
const noContent: Scripted = () => new Response(null, { status: 204 });

describe('a call', () => {
  it('sends who asks, and what', async () => {
    const service = scriptedService([json(agent)]);
    expect(await service.agents.create({ name: 'A' })).to.deep.equal(agent);
    const [{ method, path, headers, body }] = service.requests as [(typeof service.requests)[0]];
    expect({ method, path, body }).to.deep.equal({
      method: 'POST',
      path: '/api/v1/Agent',
      body: '{"name":"A"}',
    });
    expect(Object.fromEntries(headers)).to.include({
      'x-api-key': 'parley_key',
      'x-org-id': 'organization',
      'content-type': 'application/json',
      accept: 'application/json',
    });
  });

  it('leaves out a body that may be left out', async () => {
    const service = scriptedService([json({ webSocketPath: '/' })]);
    await service.realtimeSessions.create('a');
    expect(service.requests[0]).to.have.property('body', undefined);
    expect(service.requests[0]?.headers.has('content-type')).to.equal(false);
  });

  it('spells the query as the contract does, and leaves out what is undefined', async () => {
    const service = scriptedService([json({ items: [], total: 0, offset: 0, limit: 50 })]);
    await service.tasks.list({ dueBefore: '2030-01-01T00:00:00Z', externalId: 'ä&=' });
    expect(service.requests[0]?.path).to.equal(
      '/api/v1/Task?DueBefore=2030-01-01T00%3A00%3A00Z&ExternalId=%C3%A4%26%3D',
    );
  });

  it('puts ids into the path as they are, whatever is in them', async () => {
    const service = scriptedService([json(agent)]);
    await service.approvals.approve('call/../1?$&');
    expect(service.requests[0]?.path).to.equal('/api/v1/Approval/call%2F..%2F1%3F%24%26/approve');
  });

  it('is not made with an id that leads elsewhere', () => {
    const service = scriptedService([noContent]);
    for (const id of ['', '.', '..', undefined, null, 7, {}])
      expect(() => void service.agents.delete(id as string))
        .to.throw('agents.delete: agentId must be an id')
        .with.property('code', 'argument-invalid');
    expect(service.requests).to.deep.equal([]);
  });

  it('is not made with options that cannot be', () => {
    const { agents } = scriptedService([json(agent)]);
    for (const options of [
      { timeoutMs: 0 },
      { timeoutMs: Infinity },
      { timeoutMs: NaN },
      { maxRetries: -1 },
      { maxRetries: 0.5 },
      { idempotencyKey: 'two words' },
      { idempotencyKey: '' },
    ])
      expect(() => void agents.create({ name: 'A' }, options))
        .to.throw()
        .with.property('code');
    expect(() => void agents.get('a', 'x' as never)).to.throw('agents.get: options');
    expect(() => agents.list('x' as never)).to.throw('agents.list: query');
  });

  it('tells the headers of its answer', async () => {
    const service = scriptedService([json(agent, { headers: { etag: '"1"' } })]);
    expect(headersOf(await service.tasks.get('a')).get('etag')).to.equal('"1"');
    expect(headersOf({}).get('etag')).to.equal(null);
  });

  it('makes its change depend on an ETag', async () => {
    const service = scriptedService([json(agent)]);
    await service.tasks.update('a', { title: 'T' }, { ifMatch: '"a.1"' });
    expect(service.requests[0]?.headers.get('if-match')).to.equal('"a.1"');
  });
});

describe('a call that fails', () => {
  it('is repeated until it works, with the same key', async () => {
    const service = scriptedService([broken, problem(503, 'service-unavailable'), json(agent)]);
    expect(await service.agents.create({ name: 'A' })).to.deep.equal(agent);
    const keys = service.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.match(/^[0-9a-f]{32}$/);
  });

  it('has another key each time it is made, or the caller’s', async () => {
    const service = scriptedService([json(agent)]);
    await service.agents.create({ name: 'A' });
    await service.agents.create({ name: 'A' });
    await service.agents.create({ name: 'A' }, { idempotencyKey: 'order-1' });
    const keys = service.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).to.equal(3);
    expect(keys[2]).to.equal('order-1');
  });

  it('has a key also on pages over plain HTTP, which have no randomUUID', async () => {
    const { crypto } = globalThis;
    const given = { getRandomValues: crypto.getRandomValues.bind(crypto) };
    Object.defineProperty(globalThis, 'crypto', { value: given, configurable: true });
    try {
      const service = scriptedService([json(agent)]);
      await service.agents.create({ name: 'A' });
      expect(service.requests[0]?.headers.get('idempotency-key')).to.be.a('string');
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
    }
  });

  it('has no key unless it is a POST', async () => {
    const service = scriptedService([json(agent)]);
    await service.agents.get('a');
    await service.agents.replace('a', { name: 'A' });
    for (const { headers } of service.requests)
      expect(headers.has('idempotency-key')).to.equal(false);
  });

  it('waits as the service asks it to', async () => {
    const at = new Date(Date.now() + 30_000).toUTCString();
    const service = scriptedService([
      problem(429, 'rate-limited', { 'retry-after': '7' }),
      problem(429, 'rate-limited', { 'retry-after': at }),
      json(agent),
    ]);
    await service.agents.get('a');
    expect(service.waits[0]).to.equal(7000);
    expect(service.waits[1]).to.be.within(20_000, 30_000);
  });

  it('gives up after its retries, and tells how often it was sent', async () => {
    const service = scriptedService([problem(503, 'service-unavailable')], { maxRetries: 3 });
    const error = await failureOf(service.agents.get('a'));
    expect(error).to.be.instanceOf(ParleyApiError).and.include({ status: 503, attempts: 4 });
    expect(service.requests).to.have.length(4);
    await failureOf(service.agents.get('a', { maxRetries: 0 }));
    expect(service.requests).to.have.length(5);
  });

  it('is over when its DELETE finds nothing because an earlier one worked', async () => {
    const service = scriptedService([broken, problem(404, 'not-found')]);
    await service.agents.delete('a');
    expect(service.requests).to.have.length(2);
    const missing = await failureOf(service.agents.delete('a'));
    expect(missing).to.include({ errorCode: 'not-found' });
  });

  it('tells why there is no connection', async () => {
    const error = await failureOf(scriptedService([broken]).agents.get('a'));
    expect(error)
      .to.be.instanceOf(ParleyConnectionError)
      .and.include({ reason: 'lost', attempts: 3 });
    expect(error).to.have.property('message').that.includes('ECONNREFUSED');
  });

  it('has its time for each attempt', async () => {
    const service = scriptedService([silence, json(agent)], { timeoutMs: 1 });
    expect(await service.agents.get('a')).to.deep.equal(agent);
    const error = await failureOf(
      scriptedService([silence]).agents.get('a', { timeoutMs: 1, maxRetries: 1 }),
    );
    expect(error).to.include({ reason: 'timeout', attempts: 2 });
  });

  it('ends with the signal of the call or of the client, and is not repeated', async () => {
    const reason = new Error('enough');
    for (const whose of ['call', 'client']) {
      const abort = new AbortController();
      const leave: Scripted = (request) => {
        queueMicrotask(() => abort.abort(reason));
        return silence(request);
      };
      const own = { signal: abort.signal };
      const service = scriptedService([leave], whose === 'client' ? own : {});
      const error = await failureOf(service.agents.get('a', whose === 'call' ? own : {}));
      expect(error).to.include({ name: 'ParleyConnectionError', reason: 'aborted', cause: reason });
      expect(service.requests).to.have.length(1);
      const late = await failureOf(service.agents.get('a', own));
      expect(late).to.include({ reason: 'aborted' });
      expect(service.requests).to.have.length(1);
    }
  });

  it('is repeated when the body breaks off', async () => {
    const half: Scripted = () =>
      new Response(
        new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) }),
      );
    const service = scriptedService([half, json(agent)]);
    expect(await service.agents.get('a')).to.deep.equal(agent);
  });
});

describe('the error of a refused call', () => {
  const refusedWith = async (body: BodyInit | null, init: ResponseInit) => {
    const service = scriptedService([() => new Response(body, init)]);
    return (await failureOf(service.agents.get('a', { maxRetries: 0 }))) as ParleyApiError;
  };

  it('has what the service says', async () => {
    const told = {
      type: '/docs/errors#body-invalid',
      title: 'Body invalid',
      status: 400,
      detail: 'The body does not fit.',
      errors: [{ path: '/name', message: 'must be string' }],
    };
    const headers = { 'x-request-id': 'r-1' };
    const error = await refusedWith(JSON.stringify(told), { status: 400, headers });
    expect(error).to.deep.include({
      status: 400,
      errorCode: 'body-invalid',
      detail: 'The body does not fit.',
      errors: told.errors,
      requestId: 'r-1',
    });
    expect(error.message).to.equal(
      '400 body-invalid: The body does not fit.; /name must be string (request r-1)',
    );
  });

  it('has the code of a realtime error, a quota, and when to come back', async () => {
    const realtime = { status: 400, detail: 'Off.', errorCode: 'RealtimeNotEnabled' };
    expect(await refusedWith(JSON.stringify(realtime), { status: 400 })).to.include({
      errorCode: 'RealtimeNotEnabled',
      detail: 'Off.',
    });
    const quota = { type: '/docs/errors#quota-reached', detail: 'Used up.', quota: 'questions' };
    const late = { status: 429, headers: { 'retry-after': '3600' } };
    const error = await refusedWith(JSON.stringify(quota), late);
    expect(error).to.include({ quota: 'questions', retryAfter: 3600 });
  });

  for (const [what, body, init, detail] of [
    [
      'a proxy’s page',
      '<html><title>502 Bad Gateway</title>\n<h1>nginx</h1></html>',
      { status: 502 },
      '502 Bad Gateway nginx',
    ],
    ['nothing', null, { status: 504, statusText: 'Gateway Timeout' }, 'Gateway Timeout'],
    ['no text at all', '', { status: 500 }, 'The response is empty.'],
    ['JSON of another kind', '[1]', { status: 418 }, '[1]'],
    ['null', 'null', { status: 418 }, 'null'],
    ['half a problem', '{"detail":', { status: 400 }, '{"detail":'],
  ] as const)
    it(`is as good as it can be for ${what}`, async () => {
      const error = await refusedWith(body, init);
      expect(error).to.include({ name: 'ParleyApiError', status: init.status, detail });
      expect(error.errorCode).to.equal(undefined);
    });

  it('is short, however long the page is', async () => {
    const error = await refusedWith('x'.repeat(100_000), { status: 502 });
    expect(error.message).to.have.length.below(300);
  });

  it('does not repeat the key that a proxy shows', async () => {
    const error = await refusedWith('You sent X-Api-Key: parley_key', { status: 404 });
    expect(error.detail).to.equal('You sent X-Api-Key: [redacted]');
  });

  it('names where a redirect leads, which is not followed', async () => {
    const headers = { location: 'https://other.example/' };
    const error = await refusedWith(null, { status: 301, headers });
    expect(error.detail).to.include('https://other.example/').and.include('baseUrl');
  });

  it('tells of an answer that is not the service’s', async () => {
    const error = await refusedWith('<html>Welcome</html>', { status: 200 });
    expect(error.detail).to.include('Check that baseUrl is the address of the service.');
  });
});
