import { expect } from 'chai';
import type { Tool } from '@parley/protocol';
import { ended, never, payTool as http, Stage } from './support/stage.js';

const start = 'response.function_invocation.start';
const done = 'response.function_invocation.done';
describe('a tool call', () => {
  let stage: Stage;
  let origin: string;
  before(async () => {
    stage = await Stage.open();
    origin = await stage.listen();
  });
  beforeEach(() => stage.forget());
  after(() => stage.close());

  const call = (tool: Tool, input = '{"to":"Ada"}') => stage.call(tool, input);

  it('runs an HTTP tool, tells of it in order and records it', async () => {
    stage.respond = ({ headers }, response) =>
      response.end(
        JSON.stringify({
          text: 'Paid.',
          echo: headers['x-key'],
          buttonLink: 'https://shop.example/1',
        }),
      );
    const tool = http(`${origin}/pay`, {
      headers: { 'X-Key': '{{secret:KEY}}' },
      title: 'Paying',
      imageUrl: 'https://img.example/1.png',
      button: { label: 'Receipt', link: 'https://shop.example/' },
    });
    const { agentId, place, toolbox, open } = await call(tool);
    expect(toolbox.declarations.map(({ name }) => name)).to.deep.equal(['pay']);
    const { state, outcome } = await ended(toolbox.advance(open, never));
    expect(state).to.equal('finished');
    expect(outcome).to.include({ status: 'succeeded', text: 'Paid.' });
    expect(JSON.parse(outcome!.output)).to.deep.equal({
      text: 'Paid.',
      echo: '[secret]',
      buttonLink: 'https://shop.example/1',
    });
    expect(stage.heard).to.have.length(1);
    expect(stage.heard[0]).to.include({ method: 'POST', url: '/pay', body: '{"to":"Ada"}' });
    expect(stage.heard[0]!.headers).to.include({ 'x-key': 'sk-very-secret' });
    expect(stage.types()).to.deep.equal([start, done]);
    const { callId, messageId: id } = open;
    const face = { title: 'Paying', imageUrl: 'https://img.example/1.png' };
    const shared = { id, callId, chatbotId: agentId, ...face };
    expect(stage.told[0]!.data).to.deep.equal({
      ...shared,
      arguments: { to: 'Ada' },
      approvalRequired: false,
      functionName: 'pay',
    });
    expect(stage.last()).to.deep.include({
      ...shared,
      text: 'Paid.',
      status: 1,
      button: { label: 'Receipt', link: 'https://shop.example/1' },
      buttonLabel: 'Receipt',
      buttonLink: 'https://shop.example/1',
    });
    const { executionTimeSeconds } = stage.last();
    expect(executionTimeSeconds).to.be.greaterThan(0);
    expect(stage.executionTimes.map((ms) => Math.round(ms) / 1000)).to.deep.equal([
      executionTimeSeconds,
    ]);
    const [message] = await stage.messages(place);
    expect(message).to.include({ id, role: 'tool', content: 'Paid.', status: 'completed' });
    expect(message!.toolCall).to.deep.include({
      callId,
      status: 'succeeded',
      arguments: { to: 'Ada' },
    });
    expect(JSON.stringify([stage.told, message])).to.not.contain('sk-very-secret');
    expect(stage.endings).to.deep.equal(['http succeeded']);
  });

  it('sends no argument that the schema does not name, whatever the model adds', async () => {
    const added = '{"to":"Ada","tenant":"globex","to[]":"Eve"}';
    for (const tool of [http(`${origin}/?tenant=acme`, { method: 'GET' }), http(origin)]) {
      const { toolbox, open } = await call(tool, added);
      expect((await ended(toolbox.advance(open, never))).outcome).to.include({
        status: 'succeeded',
      });
    }
    expect(stage.heard.map(({ url, body }) => [url, body])).to.deep.equal([
      ['/?tenant=acme&to=Ada', ''],
      ['/', '{"to":"Ada"}'],
    ]);
  });

  it('lets the model read what is wrong with its arguments, and runs nothing', async () => {
    for (const [input, says] of [
      ['{"to":7}', /to: .*string/],
      ['{}', /"to"/],
      ['{"to":', /not JSON/],
    ] as const) {
      stage.forget();
      const { place, toolbox, open } = await call(http(origin), input);
      const { outcome } = await ended(toolbox.advance(open, never));
      expect(outcome).to.include({ status: 'failed' });
      expect(outcome!.output).to.match(says);
      expect(stage.types()).to.deep.equal([start, done]);
      expect(stage.heard).to.deep.equal([]);
      expect((await stage.messages(place))[0]!.toolCall).to.include({
        status: 'failed',
        executionMs: null,
      });
    }
  });

  it('fails a call of a tool that is not there', async () => {
    const { toolbox, open } = await call(http(origin));
    const { outcome } = await ended(toolbox.advance({ ...open, name: 'other' }, never));
    expect(outcome).to.include({ status: 'failed', output: 'There is no tool named other.' });
    expect(stage.types()).to.deep.equal([start, done]);
  });

  it('tells the status and the body of a refusal, without secrets, and cuts what is long', async () => {
    stage.respond = ({ headers }, response) =>
      response.writeHead(422).end(`No: ${String(headers['x-key'])} ${'x'.repeat(100_000)}`);
    const tool = http(origin, { headers: { 'X-Key': '{{secret:KEY}}' } });
    const { toolbox, open } = await call(tool);
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.status).to.equal('failed');
    expect(outcome!.output).to.match(
      /^The server answered with HTTP 422\.\nNo: \[secret\] x+\n\[truncated/,
    );
    expect(outcome!.output.length).to.be.lessThan(5000);
  });

  it('bounds what the model reads of a long answer', async () => {
    stage.respond = (_heard, response) => response.end('y'.repeat(3_000_000));
    const { toolbox, open } = await call(http(origin));
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.status).to.equal('succeeded');
    expect(outcome!.output).to.match(/truncated/);
    expect(outcome!.output.length).to.be.lessThan(33_000);
  });

  it('refuses a private address that nobody allowed, and tells no host', async () => {
    const { toolbox, open } = await call(http('http://10.1.2.3/'));
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome).to.include({ status: 'failed' });
    expect(outcome!.output)
      .to.match(/not public/)
      .and.not.contain('10.1.2.3');
  });

  it('ends a tool that takes too long', async () => {
    stage.respond = () => undefined;
    const { place, toolbox, open } = await call(http(origin, { timeoutSeconds: 1 }));
    const { outcome } = await ended(toolbox.advance(open, never));
    expect(outcome!.output).to.match(/in time/);
    expect(stage.last()).to.include({ status: 2 });
    expect((await stage.messages(place))[0]).to.include({ status: 'failed' });
    expect(stage.endings).to.deep.equal(['http timed_out']);
  });

  it('records a tool that runs when its session ends as failed, and tells nothing', async () => {
    const session = new AbortController();
    stage.respond = () => session.abort();
    const { place, toolbox, open } = await call(http(origin));
    const { outcome } = await ended(toolbox.advance(open, session.signal));
    expect(outcome!.output).to.match(/outcome is unknown/);
    expect(stage.types()).to.deep.equal([start]);
    expect((await stage.messages(place))[0]!.content).to.match(/outcome is unknown/);
  });

  it('is not run when PostgreSQL cannot record it', async () => {
    const { toolbox, open } = await call(http(origin));
    const { place, agentId } = await call(http(origin));
    const lost = await stage.toolbox(agentId, place);
    const { outcome } = await ended(lost.advance({ ...open, id: 'no-uuid' }, never));
    expect(outcome).to.include({ status: 'failed' });
    expect(outcome!.output).to.match(/could not be recorded/);
    expect(stage.types()).to.deep.equal([start, done]);
    expect(stage.heard).to.deep.equal([]);
    await toolbox.close();
  });
});
