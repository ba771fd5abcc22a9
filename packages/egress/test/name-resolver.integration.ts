import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createEgress, EgressRefused, EgressTimeout, type Egress } from '#src/index.js';
import { startNameServer, type NameServer } from './support/name-server.js';

const bounds = { method: 'GET', timeoutMs: 10_000, maxBytes: 1000 };

describe('the names of tenants', () => {
  let server: Server;
  let port: number;
  let egress: Egress | undefined;
  let names: NameServer | undefined;
  before(async () => {
    server = createServer((_request, response) =>
      response.setHeader('connection', 'close').end('inside'),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());
  afterEach(async () => {
    await egress?.close();
    names?.close();
    [egress, names] = [undefined, undefined];
  });

  /** A guard that asks a name server of its own. */
  const guard = async (known: Parameters<typeof startNameServer>[0], allow: string[] = []) => {
    names = await startNameServer(known);
    egress = createEgress(allow, { nameServers: [names.address] });
    return { egress, names };
  };
  const request = (by: Egress, host: string) =>
    by.request({ ...bounds, url: `http://${host}:${port}/` });
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error,
    );
  const codeOf = async (promise: Promise<unknown>) =>
    ((await failure(promise)) as { cause?: { code?: unknown } }).cause?.code;

  it('do not keep others from resolving theirs if no server answers for them', async () => {
    const silent = await guard('silent');
    const waiting = Array.from({ length: 20 }, (_, n) =>
      failure(
        silent.egress.request({ ...bounds, timeoutMs: 500, url: `http://${n}.slow.example/` }),
      ),
    );
    await Promise.race([silent.names.asked(20), Promise.all(waiting)]);
    expect(await lookup('localhost')).to.have.property('address');
    for (const error of await Promise.all(waiting)) expect(error).to.be.instanceOf(EgressTimeout);
  });

  it('lead to the addresses of either family', async () => {
    const known = { 'four.example': ['127.0.0.1'], 'both.example': ['::1', '127.0.0.1'] };
    const { egress: by } = await guard(known, ['127.0.0.1', '::1']);
    for (const host of Object.keys(known))
      expect((await request(by, host)).body.toString(), host).to.equal('inside');
  });

  it('lead to the address that responds, if there are several', async () => {
    const { egress: by } = await guard({ 'many.example': ['127.0.0.2', '127.0.0.1'] }, [
      '127.0.0.0/8',
    ]);
    expect((await request(by, 'many.example')).body.toString()).to.equal('inside');
  });

  it('are refused if an address of either family is private', async () => {
    const known = {
      'four.example': ['127.0.0.1', '127.0.0.2'],
      'six.example': ['127.0.0.1', '::1'],
      'mapped.example': ['127.0.0.1', '::ffff:127.0.0.2'],
    };
    const { egress: by } = await guard(known, ['127.0.0.1']);
    for (const host of Object.keys(known))
      expect(await failure(request(by, host)), host).to.be.instanceOf(EgressRefused);
  });

  it('fail as names that do not exist, or that no server answers for', async () => {
    const { egress: by, names: gone } = await guard({ 'empty.example': [] });
    for (const host of ['nobody.example', 'empty.example', 'no..name.example'])
      expect(await codeOf(request(by, host)), host).to.equal('ENOTFOUND');
    gone.close();
    names = undefined;
    expect(await codeOf(request(by, 'nobody.example'))).to.equal('EAI_AGAIN');
  });

  it('are resolved by the machine itself if the operator has named them', async () => {
    const { egress: by } = await guard({}, ['localhost']);
    expect((await request(by, 'localhost')).body.toString()).to.equal('inside');
  });
});
