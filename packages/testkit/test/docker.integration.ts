import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { dockerAnswers } from '#src/docker.js';
import { temporaryFolder } from '#src/index.js';

describe('dockerAnswers', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const engine = async (answer: RequestListener): Promise<string> => {
    const socket = join(await temporaryFolder(), 'docker.sock');
    server = createServer(answer).listen(socket);
    await once(server, 'listening');
    return `unix://${socket}`;
  };

  it('is true for an engine that answers its ping', async () => {
    const host = await engine((request, response) => {
      response.writeHead(request.url === '/_ping' ? 200 : 404).end('OK');
    });
    expect(await dockerAnswers(host)).to.equal(true);
  });

  it('is false for an engine that fails, hangs or is not there', async () => {
    expect(
      await dockerAnswers(await engine((_, response) => response.writeHead(500).end())),
    ).to.equal(false);
    server?.close();
    expect(await dockerAnswers(await engine(() => undefined))).to.equal(false);
    expect(await dockerAnswers('unix:///no/such/docker.sock')).to.equal(false);
  });
});
