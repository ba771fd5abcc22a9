import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { announceClose, closeServer } from '#src/close-server.js';
import { createPublicServer, type PublicServer } from '#src/public-server.js';

describe('closing the server', () => {
  let server: PublicServer;
  let agent: Agent;
  let stuck: boolean;

  beforeEach(async () => {
    stuck = false;
    server = createPublicServer({
      handle(_request, response) {
        response.write('first half, ');
        if (!stuck) setTimeout(() => response.end('second half'), 200);
      },
      answerFor: () => ({ status: 400, headers: {}, body: '' }),
      logger: { info: () => undefined },
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    agent = new Agent({ keepAlive: true });
  });
  afterEach(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  const ask = async (): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo;
    const [answer] = (await once(get({ port, agent }), 'response')) as [IncomingMessage];
    return answer;
  };
  const textOf = async (answer: IncomingMessage): Promise<string> =>
    Buffer.concat((await answer.toArray()) as Buffer[]).toString();

  it('lets an answer under way finish, and does not wait for its kept connection', async () => {
    const answer = await ask();
    const closed = closeServer(server, 60_000);
    expect(await textOf(answer)).to.equal('first half, second half');
    await closed;
    expect(server.listening).to.equal(false);
  });

  it('cuts an answer off that takes longer than there is time', async () => {
    stuck = true;
    const answer = await ask();
    const cut = textOf(answer).catch((error: unknown) => (error as NodeJS.ErrnoException).code);
    await closeServer(server, 1);
    expect(await cut).to.equal('ECONNRESET');
  });

  it('does not wait for a connection on which nothing was ever sent', async () => {
    const silent = connect((server.address() as AddressInfo).port);
    silent.on('error', () => undefined);
    await once(server, 'connection');
    const gone = once(silent, 'close');
    await closeServer(server, 60_000);
    await gone;
    expect(server.listening).to.equal(false);
  });

  it('is announced in the answers before it', async () => {
    expect((await ask()).headers).to.include({
      connection: 'keep-alive',
      'keep-alive': 'timeout=55',
    });
    announceClose(server);
    const { headers } = await ask();
    expect(headers.connection).to.equal('close');
    expect(headers).to.not.have.property('keep-alive');
  });
});
