import { once } from 'node:events';
import { expect } from 'chai';
import { startSimulator, type Simulator } from '#src/simulator.js';
import { misbehaviours, type MisbehaviourName } from '#src/shell/misbehaviours.js';
import { RealtimeClient } from './realtime-client.js';

describe('a misbehaving model', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({ settings: { thinkMs: 0, tokenMs: 0, audioSpeed: 0 } });
  });
  after(() => simulator.close());

  const dial = (model: string) => new RealtimeClient(simulator, { model });

  const refusedWith = (model: string, status: number) => async (): Promise<void> => {
    const refusal = await dial(model).refused();
    expect(refusal.status).to.equal(status);
    expect(JSON.parse(refusal.body)).to.have.nested.property('error.code');
  };

  // One entry per row: the compiler refuses a misbehaviour without a test.
  const proofs: Record<MisbehaviourName, () => Promise<void>> = {
    'sim-refuse-400': refusedWith('sim-refuse-400', 400),
    'sim-refuse-401': refusedWith('sim-refuse-401', 401),
    'sim-refuse-403': refusedWith('sim-refuse-403', 403),
    'sim-refuse-429': refusedWith('sim-refuse-429', 429),
    'sim-refuse-500': refusedWith('sim-refuse-500', 500),
    'sim-refuse-503': refusedWith('sim-refuse-503', 503),
    'sim-redirect': async () => {
      const refusal = await dial('sim-redirect').refused();
      expect(refusal).to.include({ status: 302, location: misbehaviours['sim-redirect'].location });
    },
    'sim-hang-connect': async () => {
      const client = new RealtimeClient(simulator, {
        model: 'sim-hang-connect',
        options: { handshakeTimeout: 100 },
      });
      const [error] = (await once(client.socket, 'error')) as [Error];
      expect(error.message).to.include('timed out');
    },
    'sim-hang-created': async () => {
      const client = dial('sim-hang-created');
      await once(client.socket, 'open');
      client.send({ type: 'session.update', session: { type: 'realtime' } });
      const [connection] = simulator.connections().slice(-1);
      if (connection?.received.length === 0) await once(connection, 'frame');
      expect(connection?.receivedEvents).to.have.length(1);
      expect(client.events).to.deep.equal([]);
      client.socket.terminate();
    },
    'sim-close-on-open': async () => {
      const client = dial('sim-close-on-open');
      expect(await client.closed).to.deep.equal({
        code: 3000,
        reason: 'invalid_request_error.invalid_api_key',
      });
      expect(client.events).to.deep.equal([]);
    },
    'sim-error-on-open': async () => {
      const client = dial('sim-error-on-open');
      expect((await client.closed).code).to.equal(1011);
      expect(client.events.map(({ type }) => type)).to.deep.equal(['error']);
    },
    'sim-drop-on-open': async () => {
      const client = dial('sim-drop-on-open');
      expect((await client.closed).code).to.equal(1006);
    },
    'sim-refuse-update': async () => {
      const client = dial('sim-refuse-update');
      await client.first('session.created');
      client.send({ type: 'session.update', event_id: 'gw_1', session: { type: 'realtime' } });
      const { error } = await client.first('error');
      expect(error).to.include({ event_id: 'gw_1' });
      client.socket.close();
    },
    'sim-ignore-update': async () => {
      const client = dial('sim-ignore-update');
      await client.first('session.created');
      client.send(
        { type: 'session.update', session: { type: 'realtime' } },
        { type: 'input_audio_buffer.clear' },
      );
      await client.first('input_audio_buffer.cleared');
      expect(client.events.map(({ type }) => type)).to.not.include('session.updated');
      client.socket.close();
    },
    'sim-short-session': async () => {
      const client = dial('sim-short-session');
      const ending = await client.closed;
      expect(ending.code).to.equal(1001);
      expect(await client.first('error')).to.have.nested.property('error.code', 'session_expired');
    },
    'sim-session-20': async () => {
      const client = dial('sim-session-20');
      const { session } = await client.first('session.created');
      const left = (session as { expires_at: number }).expires_at - Date.now() / 1000;
      expect(left).to.be.within(1, 20);
      client.socket.close();
    },
    'sim-stale-expiry': async () => {
      const client = dial('sim-stale-expiry');
      const { session } = await client.first('session.created');
      expect((session as { expires_at: number }).expires_at).to.be.lessThan(Date.now() / 1000);
      client.ask('hello');
      await client.first('response.done');
      client.socket.close();
    },
    'sim-unknown-events': async () => {
      const client = dial('sim-unknown-events');
      await client.first('simulator.novelty');
      expect(client.events.map(({ type }) => type)).to.deep.equal([
        'session.created',
        'simulator.novelty',
      ]);
      client.socket.close();
    },
    'sim-no-transcription-deployment': async () => {
      const client = dial('sim-no-transcription-deployment');
      await client.first('session.created');
      const input = { turn_detection: null, transcription: { model: 'whisper-1' } };
      client.send(
        { type: 'session.update', session: { type: 'realtime', audio: { input } } },
        { type: 'input_audio_buffer.append', audio: Buffer.alloc(9600).toString('base64') },
        { type: 'input_audio_buffer.commit' },
      );
      const failed = await client.first('conversation.item.input_audio_transcription.failed');
      expect(failed).to.have.nested.property('error.code', 'DeploymentNotFound');
      client.socket.close();
    },
    'sim-azure': async () => {
      const client = dial('sim-azure');
      client.socket.once('open', () => client.ask('hello'));
      const added = await client.first('response.content_part.added');
      expect(added['content']).to.deep.equal(added['part']);
      client.socket.close();
    },
  };

  for (const [name, { doc }] of Object.entries(misbehaviours))
    it(`${name}: ${doc}`, () => proofs[name as MisbehaviourName]());
});
