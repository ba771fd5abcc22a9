import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { RealtimeSession } from '@parley/client';
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
});
