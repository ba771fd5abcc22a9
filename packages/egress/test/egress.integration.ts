import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createEgress, EgressRefused, EgressTimeout, type Egress } from '#src/index.js';
import type { Resolve } from '#src/name-resolver.js';

/** Lets undici's own clock, on which its timeouts run, advance at once. */
const passUndiciTime = (milliseconds: number) => {
  const timers = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
    tick: (milliseconds: number) => void;
  };
  // The first one starts the timers that are new.
  timers.tick(0);
  timers.tick(milliseconds);
};

const bounds = { method: 'GET', timeoutMs: 10_000, maxBytes: 1000 };

describe('egress', () => {
  const servers: Server[] = [];
  const guards: Egress[] = [];
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(server);
    return (server.address() as AddressInfo).port;
  };
  const guard = (...options: Parameters<typeof createEgress>) => {
    const egress = createEgress(...options);
    guards.push(egress);
    return egress;
  };
  afterEach(async () => {
    for (const egress of guards.splice(0)) await egress.close();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it was not refused'),
      (error: unknown) => error,
    );
  /** A resolver that answers each question with the next list of addresses. */
  const answers =
    (...lists: string[][]): Resolve =>
    (_host, _options, callback) => {
      const list = lists.length > 1 ? lists.shift()! : lists[0]!;
      const addresses = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      callback(null, addresses);
    };

  it('exchanges a request with an allowed server', async () => {
    const seen: IncomingMessage[] = [];
    const port = await serve((request, response) => {
      seen.push(request);
      request.pipe(response.setHeader('x-answer', '1'));
    });
    const reply = await guard([`127.0.0.1:${port}`]).request({
      ...bounds,
      url: `http://127.0.0.1:${port}/a?b=c`,
      method: 'POST',
      headers: { 'x-key': 'k' },
      body: 'hello',
    });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('x-answer')).to.equal('1');
    expect(reply.body.toString()).to.equal('hello');
    expect(reply.truncated).to.equal(false);
    expect(seen[0]).to.include({ method: 'POST', url: '/a?b=c' });
    expect(seen[0]!.headers).to.include({ 'x-key': 'k' });
  });

  it('refuses a name of which any address is private and not allowed, and dials none of them', async () => {
    let requests = 0;
    const port = await serve((_request, response) => response.end(String((requests += 1))));
    for (const list of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['::1', '127.0.0.1'], []])
      expect(
        await failure(
          guard(['127.0.0.1'], { resolve: answers(list) }).request({
            ...bounds,
            url: `http://evil.example:${port}/`,
          }),
        ),
      ).to.be.instanceOf(EgressRefused);
    expect(requests).to.equal(0);
  });

  it('dials the address that it checked: a second answer is not asked for', async () => {
    const asked: string[] = [];
    const port = await serve((_request, response) => response.end('inside'));
    const lists = [['127.0.0.1'], ['127.0.0.2']];
    const resolve: Resolve = (host, options, callback) => {
      asked.push(host);
      answers(lists.shift()!)(host, options, callback);
    };
    const egress = guard([`127.0.0.1/32`], { resolve });
    const reply = await egress.request({ ...bounds, url: `http://rebind.example:${port}/` });
    expect(reply.body.toString()).to.equal('inside');
    expect(asked).to.deep.equal(['rebind.example']);
  });

  it('checks each new connection: a name that was good and turns private is refused', async () => {
    const port = await serve((_request, response) =>
      response.setHeader('connection', 'close').end('inside'),
    );
    const egress = guard(['127.0.0.1'], { resolve: answers(['127.0.0.1'], ['127.0.0.2']) });
    const url = `http://rebind.example:${port}/`;
    expect((await egress.request({ ...bounds, url })).status).to.equal(200);
    expect(await failure(egress.request({ ...bounds, url }))).to.be.instanceOf(EgressRefused);
  });

  it('refuses a public name on a port of its own', async () => {
    const egress = guard([], { resolve: answers(['93.184.216.34']) });
    expect(await failure(egress.fetch('http://example.com:6379/')))
      .to.be.instanceOf(EgressRefused)
      .and.have.property('message')
      .that.includes('TOOL_EGRESS_ALLOW');
  });

  it('looks names up for sockets that others dial', async () => {
    const egress = guard([], { resolve: answers(['93.184.216.34'], ['10.0.0.1']) });
    const lookup = egress.lookup(egress.check('wss://example.com/'));
    const ask = (all: boolean) =>
      new Promise<unknown[]>((resolve) =>
        lookup('example.com', { all }, (...result) => resolve(result)),
      );
    expect(await ask(false)).to.deep.equal([null, '93.184.216.34', 4]);
    expect((await ask(true))[0]).to.be.instanceOf(EgressRefused);
  });

  describe('redirects', () => {
    it('are refused where they lead to a private address', async () => {
      for (const location of [
        'http://169.254.169.254/',
        'http://localhost/',
        'file:///etc/passwd',
        'http://',
      ]) {
        const port = await serve((_request, response) =>
          response.writeHead(302, { location }).end(),
        );
        const egress = guard([`127.0.0.1:${port}`]);
        expect(
          await failure(egress.request({ ...bounds, url: `http://127.0.0.1:${port}/` })),
          location,
        ).to.be.instanceOf(EgressRefused);
      }
    });

    it('are followed three times', async () => {
      const port = await serve((request, response) => {
        const hop = Number(request.url!.slice(1));
        if (hop === 0) response.end('there');
        else response.writeHead(302, { location: `/${hop - 1}` }).end();
      });
      const egress = guard(['127.0.0.1']);
      const reply = await egress.request({ ...bounds, url: `http://127.0.0.1:${port}/3` });
      expect(reply.body.toString()).to.equal('there');
      expect(
        await failure(egress.request({ ...bounds, url: `http://127.0.0.1:${port}/4` })),
      ).to.be.instanceOf(EgressRefused);
    });

    it('carry no credentials to another origin, and a body only within one', async () => {
      const seen: IncomingMessage['headers'][] = [];
      const second = await serve((request, response) => {
        seen.push(request.headers);
        response.end();
      });
      const first = await serve((request, response) => {
        const location = request.url === '/same' ? '/away' : `http://127.0.0.1:${second}/`;
        response.writeHead(request.url === '/keep' ? 307 : 302, { location }).end();
      });
      const egress = guard(['127.0.0.1']);
      const headers = {
        authorization: 'Bearer k',
        'x-api-key': 'k',
        cookie: 'a=b',
        accept: 'text/x',
      };
      const post = { ...bounds, method: 'POST', headers, body: 'secret' };
      await egress.request({ ...post, url: `http://127.0.0.1:${first}/same` });
      expect(seen[0]).to.include({ accept: 'text/x' });
      expect(seen[0]).to.not.have.any.keys('authorization', 'x-api-key', 'cookie', 'content-type');
      expect(
        await failure(egress.request({ ...post, url: `http://127.0.0.1:${first}/keep` })),
      ).to.be.instanceOf(EgressRefused);
      expect(seen).to.have.length(1);
    });
  });

  describe('bounds', () => {
    it('reads no more of a body than it may, however small it was packed', async () => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
      const port = await serve((request, response) => {
        if (request.url === '/bomb') response.setHeader('content-encoding', 'gzip').end(bomb);
        else response.end('x'.repeat(request.url === '/fits' ? 1000 : 1001));
      });
      const egress = guard(['127.0.0.1']);
      const get = (path: string) =>
        egress.request({ ...bounds, url: `http://127.0.0.1:${port}${path}` });
      const heap = process.memoryUsage().rss;
      for (const path of ['/bomb', '/long']) {
        const { body, truncated } = await get(path);
        expect([body.length, truncated], path).to.deep.equal([1000, true]);
      }
      expect(process.memoryUsage().rss - heap).to.be.lessThan(32 * 1024 * 1024);
      const { body, truncated } = await get('/fits');
      expect([body.length, truncated]).to.deep.equal([1000, false]);
    });

    it('ends an exchange that takes too long, before its headers or in its body', async () => {
      const port = await serve((request, response) => {
        if (request.url === '/body') response.write('a little');
      });
      const egress = guard(['127.0.0.1']);
      for (const path of ['/headers', '/body'])
        expect(
          await failure(
            egress.request({ ...bounds, timeoutMs: 100, url: `http://127.0.0.1:${port}${path}` }),
          ),
        ).to.be.instanceOf(EgressTimeout);
    });

    it('waits as long as its caller does, for the headers and for the body', async () => {
      const open: ServerResponse[] = [];
      const port = await serve((_request, response) => {
        open.push(response);
        passUndiciTime(400_000);
        response.write('at ');
      });
      const response = await guard(['127.0.0.1']).fetch(`http://127.0.0.1:${port}/`);
      passUndiciTime(400_000);
      open[0]!.end('last');
      expect(await response.text()).to.equal('at last');
    });

    it('ends with its caller’s signal', async () => {
      const controller = new AbortController();
      const port = await serve(() => controller.abort(new Error('enough')));
      const egress = guard(['127.0.0.1']);
      const request = { ...bounds, url: `http://127.0.0.1:${port}/`, signal: controller.signal };
      expect(await failure(egress.request(request))).to.have.property('message', 'enough');
      expect(await failure(egress.request(request))).to.have.property('message', 'enough');
    });
  });
});
