import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { SessionRecords } from '#src/ports.js';
import { Stage } from './support/stage.js';
import { TestClient } from './support/test-client.js';

describe('the connection of an organization', () => {
  let stage: Stage;
  let baseUrl: string;
  let dialled = 0;
  before(async () => {
    stage = await Stage.open();
    const provider = createServer().on('upgrade', (_request, socket) => {
      dialled += 1;
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    });
    provider.listen(0, '127.0.0.1');
    await once(provider, 'listening');
    stage.onClose(() => void provider.close());
    baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  });
  beforeEach(() => (dialled = 0));
  after(() => stage.close());

  const closing = async (egressAllow: string[], address: string) => {
    const { records } = stage.stores;
    const aimed: SessionRecords = {
      ...records,
      async admit(request) {
        const admitted = await records.admit(request);
        const connection = { kind: 'openai-compatible', baseUrl: address, secret: null } as const;
        return admitted.outcome === 'admitted' ? { ...admitted, connection } : admitted;
      },
    };
    const { origin } = await stage.startGateway({ records: aimed, egressAllow });
    const { path } = await stage.issue();
    return new TestClient(`${origin}${path}&errors=close`).closed;
  };

  it('reaches no private address', async () => {
    expect(await closing([], baseUrl)).to.include({ reason: 'RealtimeSessionInvalid' });
    expect(await closing([], 'http://localhost:6379/')).to.include({ code: 4400 });
    expect(dialled).to.equal(0);
  });

  it('reaches one that the operator allows', async () => {
    const { host } = new URL(baseUrl);
    expect(await closing([host], baseUrl)).to.include({ reason: 'ProviderUnavailable' });
    expect(dialled).to.equal(1);
  });
});
