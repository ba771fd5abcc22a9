import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { startSimulator, type Simulator } from '@parley/provider-simulator';
import { Stage } from './support/stage.js';

describe('OpenAI’s own client', () => {
  let stage: Stage;
  let simulator: Simulator;

  before(async () => {
    stage = await Stage.open();
    simulator = await startSimulator({ settings: { thinkMs: 1, tokenMs: 1, audioSpeed: 1000 } });
    stage.onClose(() => simulator.close());
  });
  after(() => stage.close());

  it('holds a text turn through the gateway', async () => {
    const base = await startShim();
    const client = new OpenAI({ apiKey: 'not-used', baseURL: `${base}/v1` });
    const port = Number(new URL(base).port);
    // The client insists on wss:, but takes the connection that it is given.
    const createConnection = () => connect(port, '127.0.0.1');
    const realtime = new OpenAIRealtimeWS(
      { model: 'gpt-realtime', options: { createConnection } },
      client,
    );
    const types: string[] = [];
    realtime.on('event', ({ type }) => types.push(type));
    const transcript = new Promise<string>((resolve, reject) => {
      realtime.on('error', reject);
      realtime.on('response.output_audio_transcript.done', (event) => resolve(event.transcript));
    });
    const done = new Promise((resolve) => realtime.once('response.done', resolve));
    realtime.once('session.updated', () => {
      realtime.send({
        type: 'conversation.item.create',
        item: {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '!say Good morning.' }],
        },
      });
      realtime.send({ type: 'response.create' });
    });
    expect(await transcript).to.equal('Good morning.');
    await done;
    expect(types.slice(0, 2)).to.deep.equal(['session.created', 'session.updated']);
    expect(types).to.include('response.output_audio.delta');
    const closed = once(realtime.socket, 'close');
    realtime.close();
    await closed;
  });

  /** Maps the path that the client dials to a session of the gateway. */
  async function startShim(): Promise<string> {
    const { gateway } = await stage.startGateway({
      providerUrl: simulator.url,
      providerKey: 'sk-simulated',
    });
    const { path } = await stage.issue();
    const server = createServer().on('upgrade', (request, socket, head) => {
      expect(request.url).to.match(/^\/v1\/realtime\?model=gpt-realtime$/);
      request.url = path;
      gateway.handleUpgrade(request, socket, head);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stage.onClose(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
});
