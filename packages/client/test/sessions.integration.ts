import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { ParleyError, RealtimeSession, type RawEvent } from '@parley/client';
import { ScriptedSocket } from './support/scripted-socket.js';

let paths = 0;
const create = () => `/open?n=${(paths += 1)}`;

describe('a session', () => {
  let service: ScriptedSocket | undefined;
  let session: RealtimeSession | undefined;
  afterEach(() => {
    session?.close();
    service?.close();
  });

  const calls = ({ tell }: { tell: (type: string, more?: object) => void }) => {
    tell('session.updated');
    tell('response.created', { response: { id: 'r1' } });
    const call = { response_id: 'r1', call_id: 'c1', name: 'look', arguments: '{}' };
    tell('response.function_call_arguments.done', call);
    tell('response.done', { response: { id: 'r1', status: 'completed', output: [] } });
  };

  it('sends what a listener says after what it was told about', async () => {
    service = await ScriptedSocket.open(calls);
    let seen: (what: string) => void = () => undefined;
    const sight = new Promise<string>((resolve) => (seen = resolve));
    const look = { description: 'Looks.', execute: () => sight };
    const opened = (session = await RealtimeSession.connect({
      baseUrl: service.url,
      create,
      tools: { look },
    }));
    opened.on('tool', ({ state }) => {
      if (state === 'done') opened.sendText('And now?');
    });
    seen('a cat');
    const { heard } = service;
    await waitFor(() => heard.length >= 4, { what: 'the client' });
    expect(
      heard.map(({ type, item }) => (item as { type: string } | undefined)?.type ?? type),
    ).to.deep.equal(['function_call_output', 'response.create', 'message', 'response.create']);
  });

  for (const code of [1011, 4410, 4502, 4504])
    it(`that the service ended with ${code} is followed by another, not resumed`, async () => {
      service = await ScriptedSocket.open(({ tell, socket }, nth) => {
        tell('session.updated');
        const data = { resumePath: '/resume?token=a', graceSeconds: 30 };
        tell('session.resumable', { data });
        if (nth === 1) socket.once('message', () => socket.close(code, 'TheReason'));
      });
      const states: string[] = [];
      const opened = (session = await RealtimeSession.connect({
        baseUrl: service.url,
        create,
        resume: true,
      }));
      opened.on('state', ({ state, error }) => states.push(`${state} ${error?.reason ?? ''}`));
      opened.commit();
      const { paths: opens } = service;
      await waitFor(() => states.includes('open '), { what: 'another session' });
      expect(states).to.deep.equal(['reconnecting TheReason', 'open ']);
      expect(opens.map((path) => path.split('?')[0])).to.deep.equal(['/open', '/open']);
    });

  it('tries again while it reconnects if `create` returns no path', async () => {
    service = await ScriptedSocket.open(({ tell, socket }, nth) => {
      tell('session.updated');
      if (nth === 1) socket.once('message', () => socket.close(1012, 'ServiceRestart'));
    });
    let asked = 0;
    const opened = (session = await RealtimeSession.connect({
      baseUrl: service.url,
      create: () => ((asked += 1) === 2 ? ({ error: 'Later.' } as never) : create()),
    }));
    const states: string[] = [];
    opened.on('state', ({ state }) => states.push(state));
    opened.commit();
    await waitFor(() => states.length === 2, { what: 'another session' });
    expect([asked, ...states]).to.deep.equal([3, 'reconnecting', 'open']);
  });

  describe('with a service that takes messages of 64 KiB', () => {
    const serve = async (onOpen: Parameters<typeof ScriptedSocket.open>[0], result: unknown) => {
      service = await ScriptedSocket.open(onOpen, { maxPayload: 65_536 });
      const look = { description: 'Looks.', execute: () => result };
      session = await RealtimeSession.connect({ baseUrl: service.url, create, tools: { look } });
      return { session, heard: service.heard };
    };
    const outputOf = ({ item }: RawEvent) => (item as { output: string }).output;

    for (const [what, result] of [
      ['text', 'x'.repeat(66_000)],
      ['text of long characters', '€'.repeat(22_000)],
      ['text with quotes', '"'.repeat(33_000)],
      ['JSON', { rows: Array.from({ length: 20_000 }, (_, n) => n) }],
    ] as const)
      it(`tells the model that an output is too large: ${what}`, async () => {
        const { session: opened, heard } = await serve(calls, result);
        await waitFor(() => heard.length > 0, { what: 'the output' });
        expect(outputOf(heard[0]!)).to.match(/^\{"error":"The output is larger than 65024 bytes/);
        expect(opened.calls[0]).to.include({ state: 'failed' });
        expect(opened.state).to.equal('open');
      });

    it('sends an output that fits', async () => {
      const { heard } = await serve(calls, 'x'.repeat(65_000));
      await waitFor(() => heard.length > 0, { what: 'the output' });
      expect(outputOf(heard[0]!)).to.have.lengthOf(65_000);
    });

    it('throws instead of sending what would end the session', async () => {
      const { session: opened, heard } = await serve(({ tell }) => tell('session.updated'), '');
      const large = '€'.repeat(22_000);
      for (const send of [
        () => opened.sendText(large),
        () => opened.send({ type: 'some.event', large }),
      ])
        expect(send)
          .to.throw(ParleyError, 'larger than a message may be, 65536 bytes')
          .with.property('code', 'argument-invalid');
      opened.sendAudio(new Int16Array(100_000));
      opened.sendText('x'.repeat(65_000));
      await waitFor(() => heard.at(-1)?.type === 'response.create', { what: 'the text' });
      expect(opened.messages).to.have.lengthOf(1);
      expect(opened.state).to.equal('open');
    });
  });
});
