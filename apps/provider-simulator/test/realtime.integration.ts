import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import type { SimulatorConnection } from '#src/shell/connection.js';
import { startSimulator, type Simulator } from '#src/simulator.js';
import { heardText, spokenAudio } from '#src/spoken-audio.js';
import { invalidApiKey } from '#src/shell/misbehaviours.js';
import { RealtimeClient, type Dial } from './realtime-client.js';

describe('the realtime socket', () => {
  let simulator: Simulator;
  before(async () => {
    const settings = { seed: 1, thinkMs: 0, tokenMs: 0, audioSpeed: 0, transcriptionDelayMs: 1 };
    simulator = await startSimulator({ settings: { ...settings, badApiKeys: ['bad'] } });
  });
  after(() => simulator.close());

  const nextConnection = async (): Promise<SimulatorConnection> => {
    const [connection] = (await once(simulator.events, 'connection')) as [SimulatorConnection];
    return connection;
  };
  const dial = (options?: Dial) => new RealtimeClient(simulator, options);

  describe('admits', () => {
    const ways: [string, Dial][] = [
      ['a bearer key', {}],
      ['an api-key header', { key: null, headers: { 'api-key': 'k' } }],
      ['the Azure path', { path: '/openai/v1/realtime', key: null, headers: { 'api-key': 'k' } }],
      [
        'a browser’s subprotocol',
        {
          key: null,
          headers: { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.ek_1' },
        },
      ],
    ];
    for (const [title, options] of ways)
      it(title, async () => {
        // The subprotocol is given as a plain header: the client would otherwise insist on its own list.
        const client = dial(options);
        const connection = await nextConnection();
        expect(connection.model).to.equal('gpt-realtime');
        client.socket.terminate();
      });

    it('and speaks Azure’s dialect on its path', async () => {
      const client = dial({ path: '/openai/v1/realtime' });
      await client.first('session.created');
      client.ask('hello');
      expect(await client.first('response.content_part.done')).to.have.property('content');
      client.socket.close();
    });
  });

  describe('refuses', () => {
    const refusals: [string, Dial, number, string][] = [
      ['no key', { key: null }, 401, 'missing_api_key'],
      ['no model', { model: '' }, 400, 'missing_model'],
      ['another path', { path: '/v2/realtime' }, 404, 'not_found'],
    ];
    for (const [title, options, status, code] of refusals)
      it(`${title} with ${status}`, async () => {
        const refusal = await dial(options).refused();
        expect(refusal.status).to.equal(status);
        expect(JSON.parse(refusal.body)).to.have.nested.property('error.code', code);
      });

    for (const key of ['bad', invalidApiKey])
      it(`the key "${key}" after the handshake, with 3000`, async () => {
        const client = dial({ key });
        expect((await client.closed).reason).to.equal('invalid_request_error.invalid_api_key');
      });

    it('the beta protocol with an error, then 4000', async () => {
      const client = dial({ headers: { 'openai-beta': 'realtime=v1' } });
      expect(await client.closed).to.deep.equal({
        code: 4000,
        reason: 'invalid_request_error.beta_api_shape_disabled',
      });
      expect(client.events[0]).to.have.nested.property('error.code', 'beta_api_shape_disabled');
    });

    it('compression, and frames above 16 MiB', async () => {
      const client = dial({ options: { perMessageDeflate: true } });
      await client.first('session.created');
      expect(client.socket.extensions).to.equal('');
      client.socket.send(Buffer.alloc(17 * 1024 * 1024, 'x'), { binary: false });
      expect((await client.closed).code).to.equal(1009);
    });
  });

  it('holds a spoken conversation that can be heard on both sides', async () => {
    const client = dial();
    await client.first('session.created');
    const speech = spokenAudio('Hello there');
    for (let at = 0; at < speech.length; at += 9600)
      client.send({
        type: 'input_audio_buffer.append',
        audio: speech.subarray(at, at + 9600).toString('base64'),
      });
    await client.first('response.done');
    const { transcript } = await client.first('response.output_audio_transcript.done');
    const audio = client.events
      .filter(({ type }) => type === 'response.output_audio.delta')
      .map(({ delta }) => Buffer.from(String(delta), 'base64'));
    expect(heardText(Buffer.concat(audio))).to.equal(transcript);
    client.socket.close();
  });

  it('shows a test what was received, frame by frame, with its headers', async () => {
    const client = dial({ headers: { 'openai-safety-identifier': 'user-1' } });
    const { received, headers } = await nextConnection();
    await client.first('session.created');
    client.socket.send('{"type": "input_audio_buffer.clear"}');
    client.socket.send(Buffer.from([1, 2, 3]));
    await client.first('error');
    expect(received.map(({ binary, data }) => [binary, data.toString('latin1')])).to.deep.equal([
      [false, '{"type": "input_audio_buffer.clear"}'],
      [true, '\u0001\u0002\u0003'],
    ]);
    expect(headers['openai-safety-identifier']).to.equal('user-1');
    client.socket.close();
    await client.closed;
  });

  it('lets a test speak and close in the provider’s place', async () => {
    const client = dial();
    await client.first('session.created');
    const connection = simulator.connections().at(-1)!;
    connection.send('{"type":"made.up"}');
    await client.first('made.up');
    connection.close(1012, 'restart');
    expect(await client.closed).to.deep.equal({ code: 1012, reason: 'restart' });
    if (!connection.ending) await once(connection, 'close');
    expect(connection.ending).to.deep.equal({ code: 1012, reason: 'restart' });
  });

  it('sends raw, binary and oversized frames as they are', async () => {
    const client = dial();
    await client.first('session.created');
    client.ask('!raw {"broken": !binary 5 !oversize 3000000 !say done');
    await client.first('response.done');
    const texts = client.frames.filter(({ binary }) => !binary).map(({ data }) => data);
    expect(texts.some((data) => data.toString('utf8') === '{"broken":')).to.equal(true);
    expect(client.frames.find(({ binary }) => binary)?.data).to.have.length(5);
    expect(Math.max(...texts.map(({ length }) => length))).to.be.greaterThan(4_000_000);
    client.socket.close();
  });

  it('closes, drops and hangs when told to', async () => {
    const closing = dial();
    closing.socket.once('open', () => closing.ask('!close 4321'));
    expect((await closing.closed).code).to.equal(4321);
    const dropping = dial();
    dropping.socket.once('open', () => dropping.ask('!drop'));
    expect((await dropping.closed).code).to.equal(1006);
    const hanging = dial();
    hanging.socket.once('open', () => hanging.ask('!hang'));
    await hanging.first('response.created');
    hanging.socket.ping();
    hanging.ask('hello');
    const connection = simulator.connections().at(-1)!;
    while (connection.receivedEvents.length < 4) await once(connection, 'frame');
    expect(hanging.events.map(({ type }) => type).at(-1)).to.equal('response.created');
    hanging.socket.terminate();
  });

  it('answers pings', async () => {
    const client = dial();
    await once(client.socket, 'open');
    client.socket.ping('here');
    const [data] = (await once(client.socket, 'pong')) as [Buffer];
    expect(data.toString()).to.equal('here');
    client.socket.close();
  });

  it('survives a peer that resets in the middle of the handshake or sends garbage', async () => {
    const reset = connect(simulator.port, '127.0.0.1');
    await once(reset, 'connect');
    reset.write(
      'GET /v1/realtime?model=sim-hang-connect HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    reset.resetAndDestroy();
    const lost = connect(simulator.port, '127.0.0.1');
    lost.write('GET //[ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    expect(String((await once(lost, 'data'))[0])).to.match(/^HTTP\/1\.1 404 /);
    lost.destroy();
    const garbage = dial();
    await garbage.first('session.created');
    (garbage.socket as unknown as { _socket: Socket })._socket.write(Buffer.alloc(64, 0xff));
    expect((await garbage.closed).code).to.be.oneOf([1002, 1006]);
    const client = dial();
    await client.first('session.created');
    client.socket.close();
  });

  it('forgets the oldest frames of a long connection', async () => {
    const small = await startSimulator({ settings: { keepFrames: 2 } });
    const client = new RealtimeClient(small);
    await client.first('session.created');
    for (const event_id of ['a', 'b', 'c'])
      client.send({ type: 'input_audio_buffer.clear', event_id });
    await client.first('input_audio_buffer.cleared');
    const connection = small.connections()[0]!;
    while (connection.receivedEvents.at(-1)?.['event_id'] !== 'c') await once(connection, 'frame');
    expect(connection.receivedEvents.map(({ event_id }) => event_id)).to.deep.equal(['b', 'c']);
    await small.close();
    expect(client.socket.readyState).to.not.equal(WebSocket.CONNECTING);
  });

  it('closes once however often it is told to, and with connections open', async () => {
    const own = await startSimulator();
    const client = new RealtimeClient(own);
    const hanging = new RealtimeClient(own, { model: 'sim-hang-connect' });
    await client.first('session.created');
    await Promise.all([own.close(), own.close()]);
    expect((await client.closed).code).to.equal(1006);
    await hanging.closed;
  });
});
