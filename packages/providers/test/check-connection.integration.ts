import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { checkConnection } from '#src/check-connection.js';

describe('checking a connection', () => {
  let server: Server;
  let baseUrl: string;
  let page: string | undefined;

  before(async () => {
    server = createServer((_request, response) => {
      if (page !== undefined) response.end(page);
    });
    // Whoever upgrades is not answered, either.
    server.on('upgrade', (_request, socket) => {
      socket.on('end', () => socket.destroy());
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const check = (realtimeModel: string | null, timeoutMs: number) =>
    checkConnection(
      { kind: 'openai-compatible', baseUrl, secret: null },
      { realtimeModel, egress: undefined, timeoutMs },
    );

  for (const model of ['m', null])
    it(`gives up on a provider that is silent, ${model ? 'in a session' : 'in text'}`, async () => {
      page = undefined;
      const said = { ok: false, detail: 'no response within 0.05 s' };
      expect(await check(model, 50)).to.deep.equal(said);
    });

  for (const text of ['<html>', '[]', 'null', '{"data":{}}'])
    it(`takes ${text} for no list of models`, async () => {
      page = text;
      const { ok, detail } = await check(null, 5000);
      expect(ok).to.equal(false);
      expect(detail).to.include('not a list of models');
    });

  it('tells that there is no address', async () => {
    const connection = { kind: 'simulator', baseUrl: null, secret: null } as const;
    for (const realtimeModel of ['m', null])
      expect(
        await checkConnection(connection, { realtimeModel, egress: undefined, timeoutMs: 5000 }),
      ).to.deep.equal({ ok: false, detail: 'The connection has no base URL.' });
  });
});
