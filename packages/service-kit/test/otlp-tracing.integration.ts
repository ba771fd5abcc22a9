import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { otlpTracing } from '#src/otlp-tracing.js';

/** As many spans as are sent at once, without waiting for more. */
const batch = 512;

describe('traces', () => {
  let collector: Server;
  let status: number | 'silence' = 200;
  let requests = 0;
  before(async () => {
    collector = createServer((request, response) => {
      requests += 1;
      request.resume();
      if (status !== 'silence') response.writeHead(status).end('{}');
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
  });
  after(() => {
    collector.close();
    collector.closeAllConnections();
  });

  const open = (onLost: (error: Error) => void) => {
    const { port } = collector.address() as AddressInfo;
    return otlpTracing({ app: 'api', endpoint: `http://127.0.0.1:${port}`, onLost, closeMs: 100 });
  };

  for (const answer of [400, 'silence'] as const)
    it(`let a process stop cleanly whose collector answers with ${answer}`, async () => {
      status = answer;
      const before = requests;
      const tracing = open(() => undefined);
      tracing.start('work').end();
      const closed = await tracing.close().then(() => 'cleanly');
      expect(closed).to.equal('cleanly');
      await waitFor(() => requests > before, { what: 'the span' });
    });

  it('report once that they are lost, and again if that begins anew', async () => {
    const lost: string[] = [];
    const tracing = open(({ message }) => lost.push(message));
    for (const [answer, reports] of [
      [400, 1],
      [400, 1],
      [200, 1],
      [400, 2],
    ] as const) {
      status = answer;
      const before = requests;
      for (let n = 0; n < batch; n += 1) tracing.start('work').end();
      await waitFor(() => requests > before, { what: 'the batch' });
      await waitFor(() => lost.length >= reports, { what: 'the report' });
      expect(lost).to.have.length(reports);
    }
    await tracing.close();
    expect(lost).to.deep.equal(['Bad Request', 'Bad Request']);
  });
});
