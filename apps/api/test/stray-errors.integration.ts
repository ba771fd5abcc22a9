import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runNode, type RunningProgram } from '@parley/testkit';

const program = fileURLToPath(new URL('fixtures/stray-server.js', import.meta.url));

describe('an error in a callback of a request', () => {
  let running: RunningProgram;
  let url: string;
  before(async () => {
    running = runNode([program]);
    const { port } = JSON.parse(await running.line(/"ready"/)) as { port: number };
    url = `http://127.0.0.1:${port}`;
  });
  after(() => running.stop());

  const stray = async (path: string) => {
    const requestId = randomUUID();
    const headers = { 'X-Request-Id': requestId, 'Content-Type': 'text/plain' };
    const reply = await fetch(url + path, { method: 'POST', headers, body: 'x' });
    return { reply, requestId };
  };
  const logged = async (requestId: string) =>
    JSON.parse(await running.line(new RegExp(requestId))) as { msg: string; level: string };
  const goesOn = async () => expect(await (await fetch(url)).text()).to.equal('well');

  for (const path of [
    'timer',
    'tick',
    'rejection',
    'late-rejection',
    'data',
    'piped',
    'stream-error',
  ])
    it(`costs that request alone (${path})`, async () => {
      const { reply, requestId } = await stray(`/${path}`);
      expect(reply.status).to.equal(500);
      expect(reply.headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(await reply.json()).to.include({ type: '/docs/errors#internal' });
      expect(await logged(requestId)).to.include({
        msg: 'request failed in a callback',
        level: 'error',
      });
      await goesOn();
    });

  it('leaves an answer that is whole as it is', async () => {
    const { reply, requestId } = await stray('/after-the-end');
    expect(await reply.text()).to.equal('whole');
    expect((await logged(requestId)).msg).to.equal('request failed in a callback');
    await goesOn();
  });

  it('breaks an answer off that has begun', async () => {
    const { reply } = await stray('/half');
    expect(await reply.text().catch(() => 'broken off')).to.equal('broken off');
    await goesOn();
  });
});
