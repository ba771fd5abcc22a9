import { expect } from 'chai';
import { McpTraffic } from '#src/mcp/mcp-traffic.js';

const url = 'https://mcp.example/';
const reply = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"result":{}}' };
const request = { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
const resumption = { method: 'GET', headers: { 'Last-Event-ID': '7' } };

describe('the requests of a connection to an MCP server', () => {
  const begin = ({
    answer = () => Promise.resolve(new Response()),
    paused = Promise.resolve(),
  }: { answer?: () => Promise<Response>; paused?: Promise<unknown> } = {}) => {
    const seen = { fetches: 0, faults: 0, pauses: [] as number[] };
    const traffic = new McpTraffic({
      egress: {
        fetch() {
          seen.fetches += 1;
          return answer();
        },
      },
      listing: { bytes: 1024 },
      onFault: () => (seen.faults += 1),
      pause(milliseconds) {
        seen.pauses.push(milliseconds);
        return paused;
      },
    });
    return { traffic, seen };
  };
  const times = async (count: number, work: () => Promise<unknown>) => {
    for (let n = 0; n < count; n += 1) await work();
  };
  const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => String(error));

  it('do not wait for what the server says on its own', async () => {
    const { traffic, seen } = begin();
    expect(await traffic.fetch(url, { method: 'GET' })).to.have.property('status', 405);
    expect(seen.fetches).to.equal(0);
  });

  it('resume streams at intervals, and only so often for a request', async () => {
    const { traffic, seen } = begin();
    const resume = () => traffic.fetch(url, resumption);
    await times(100, resume);
    await traffic.fetch(url, request);
    await times(100, resume);
    expect(seen).to.deep.include({ fetches: 201, faults: 0 });
    expect(seen.pauses).to.deep.equal(Array(200).fill(1000));
    expect(await failureOf(resume())).to.match(/interrupted its response too often/);
    expect(traffic.fault).to.be.an('error');
    expect(seen).to.deep.include({ fetches: 201, faults: 1 });
  });

  it('wait for each other before they resume a stream', async () => {
    let goOn = (): void => undefined;
    const paused = new Promise<void>((resolve) => (goOn = resolve));
    const { traffic, seen } = begin({ paused });
    const resumed = [resumption, resumption].map((one) => traffic.fetch(url, one));
    await resumed[0];
    await new Promise(setImmediate);
    expect(seen.fetches).to.equal(1);
    goOn();
    await Promise.all(resumed);
    expect(seen.fetches).to.equal(2);
  });

  it('reply to a server only so often for a request', async () => {
    const { traffic, seen } = begin();
    const answer = () => traffic.fetch(url, reply);
    await times(100, answer);
    await traffic.fetch(url, request);
    await times(100, answer);
    expect(await failureOf(answer())).to.match(/too many requests/);
    expect(seen).to.deep.include({ fetches: 201, faults: 1 });
  });

  it('reply to a server a few at a time', async () => {
    const answers: ((response: Response) => void)[] = [];
    const { traffic, seen } = begin({
      answer: () => new Promise((resolve) => answers.push(resolve)),
    });
    const replies = Array.from({ length: 10 }, () => traffic.fetch(url, reply));
    for (let left = replies.length; left > 0; left -= 1) {
      await new Promise(setImmediate);
      expect(answers).to.have.length(Math.min(4, left));
      answers.shift()!(new Response(null, { status: 202 }));
    }
    await Promise.all(replies);
    expect(seen.fetches).to.equal(10);
  });
});
