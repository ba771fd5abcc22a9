import { expect } from 'chai';
import type { AuditRecord } from '#src/server/index.js';
import {
  broken,
  collect,
  failureOf,
  json,
  pieces,
  problem,
  scriptedService,
  type Scripted,
} from './support/scripted-service.js';

const sent = (event: { type: string; data: object }) =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const delta = { type: 'response.text.delta', data: { chatbotId: 'a', delta: 'Hel' } };
const answer = { conversationId: 'c', status: 'completed', answer: 'Hello!' };
const answered = { type: 'question.answered', data: answer };

describe('a streamed answer', () => {
  it('is its events, and at the end the answer', async () => {
    const service = scriptedService([
      pieces([': hi\n\n', sent(delta).slice(0, 9), sent(delta).slice(9) + sent(answered)]),
    ]);
    const stream = service.questions.stream('a', { question: 'Hi' });
    expect(service.requests).to.deep.equal([]);
    expect(await collect(stream)).to.deep.equal([delta, answered]);
    expect(await stream.answer()).to.deep.equal(answer);
    expect(service.requests[0]?.headers.get('accept')).to.equal('text/event-stream');
  });

  it('goes on after its connection broke, with the same key', async () => {
    const service = scriptedService([
      pieces([sent(delta)], { thenBreak: true }),
      broken,
      pieces([sent(delta)]),
      pieces([sent(answered)]),
    ]);
    const stream = service.questions.stream('a', { question: 'Hi' });
    expect(await stream.answer()).to.deep.equal(answer);
    const keys = service.requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).to.have.length(4);
    expect(new Set(keys).size).to.equal(1);
  });

  it('gives up when connections bring nothing', async () => {
    const service = scriptedService([pieces([])]);
    const error = await failureOf(service.questions.stream('a', { question: 'Hi' }).answer());
    expect(error).to.include({ name: 'ParleyConnectionError', reason: 'lost' });
    expect(service.requests).to.have.length(3);
  });

  it('does not multiply the attempts of a connection that cannot be made', async () => {
    const service = scriptedService([broken]);
    await failureOf(service.questions.stream('a', { question: 'Hi' }).answer());
    expect(service.requests).to.have.length(3);
  });

  it('fails with the problem that its last event tells', async () => {
    const data = {
      type: '/docs/errors#provider-unavailable',
      title: 'No answer from the model',
      status: 502,
      detail: 'The model refused.',
    };
    const service = scriptedService([pieces([sent({ type: 'error', data })])]);
    const error = await failureOf(service.questions.stream('a', { question: 'Hi' }).answer());
    expect(error).to.include({
      name: 'ParleyApiError',
      errorCode: 'provider-unavailable',
      status: 502,
    });
    expect(service.requests).to.have.length(1);
  });

  it('fails with the refusal of its request', async () => {
    const service = scriptedService([problem(404, 'not-found')]);
    const error = await failureOf(service.questions.stream('a', { question: 'Hi' }).answer());
    expect(error).to.include({ errorCode: 'not-found' });
  });

  it('fails when it is no stream of events', async () => {
    const service = scriptedService([pieces(['data: <html>\n\n'])]);
    const error = await failureOf(service.questions.stream('a', { question: 'Hi' }).answer());
    expect(error).to.include({ reason: 'unreadable' });
  });

  it('closes its connection when somebody leaves the loop', async () => {
    let cancelled = false;
    const endless: Scripted = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode(sent(delta))),
          cancel: () => void (cancelled = true),
        }),
      );
    const stream = scriptedService([endless]).questions.stream('a', { question: 'Hi' });
    for await (const event of stream) if (event.type === 'response.text.delta') break;
    expect(cancelled).to.equal(true);
    expect(await failureOf(stream.answer())).to.include({ reason: 'aborted' });
  });

  it('ends when it is silent for too long, or when its signal fires', async () => {
    const silent: Scripted = ({ signal }) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(sent(delta)));
            signal!.addEventListener('abort', () => controller.error(new Error('aborted')));
          },
        }),
      );
    const impatient = { timeoutMs: 1, maxRetries: 0 };
    const late = scriptedService([silent]).questions.stream('a', { question: 'Hi' }, impatient);
    expect(await failureOf(late.answer())).to.include({ reason: 'timeout' });
    const abort = new AbortController();
    const own = { signal: abort.signal };
    const left = scriptedService([silent]).questions.stream('a', { question: 'Hi' }, own);
    const reading = failureOf(
      (async () => {
        for await (const event of left) if (event.type === 'response.text.delta') abort.abort();
      })(),
    );
    expect(await reading).to.include({ reason: 'aborted' });
  });
});

describe('an export of the audit log', () => {
  const record = (sequence: number) => ({ sequence, action: 'agent.updated' });
  const line = (sequence: number) => `${JSON.stringify(record(sequence))}\n`;
  const sequences = (records: AuditRecord[]) => records.map(({ sequence }) => sequence);

  it('is its records', async () => {
    const service = scriptedService([pieces([line(1) + line(2).slice(0, 5), line(2).slice(5)])]);
    const records = await collect(service.audit.export({ actor: 'Ann' }));
    expect(records).to.deep.equal([record(1), record(2)]);
    expect(service.requests[0]?.path).to.equal('/api/v1/AuditLog/export?Actor=Ann');
  });

  it('goes on after the last whole record when it breaks off', async () => {
    const service = scriptedService([
      pieces([line(1), line(2), '{"seq'], { thenBreak: true }),
      pieces([line(3), line(4).trimEnd()]),
      pieces([line(4)]),
    ]);
    const records = await collect(service.audit.export({ from: '2030-01-01T00:00:00Z' }));
    expect(sequences(records)).to.deep.equal([1, 2, 3, 4]);
    expect(service.requests.map(({ path }) => path.split('?')[1])).to.deep.equal([
      'From=2030-01-01T00%3A00%3A00Z',
      'From=2030-01-01T00%3A00%3A00Z&After=2',
      'From=2030-01-01T00%3A00%3A00Z&After=3',
    ]);
  });

  it('is CSV on request, in pieces, and throws where they break off', async () => {
    const service = scriptedService([pieces(['a,b\n', '1,"ä'], { thenBreak: true })]);
    const got: string[] = [];
    const error = await failureOf(
      (async () => {
        for await (const piece of service.audit.exportCsv()) got.push(piece);
      })(),
    );
    expect(got.join('')).to.equal('a,b\n1,"ä');
    expect(error).to.include({ reason: 'lost' });
    expect(service.requests[0]?.path).to.equal('/api/v1/AuditLog/export?Format=csv');
  });
});

describe('a file', () => {
  it('is uploaded as a form, as often as it takes', async () => {
    const service = scriptedService([broken, json({ id: 'f' })]);
    await service.files.upload({ name: 'a.txt', content: 'Hello' });
    for (const { body } of service.requests) {
      const file = (body as FormData).get('file') as File;
      expect(file.name).to.equal('a.txt');
      expect(await file.text()).to.equal('Hello');
    }
  });

  it('may be bytes, a Blob or a File', async () => {
    const service = scriptedService([json({ id: 'f' })]);
    const bytes = new TextEncoder().encode('Hello');
    await service.files.upload({ name: 'a', content: bytes });
    await service.files.upload({ name: 'a', content: bytes.buffer });
    await service.files.upload({ name: 'a', content: new Blob([bytes]) });
    await service.files.upload(new File([bytes], 'a'));
    for (const { body } of service.requests)
      expect(await ((body as FormData).get('file') as File).text()).to.equal('Hello');
  });

  it('is nothing else', () => {
    const { files } = scriptedService([json({})]);
    for (const wrong of [undefined, null, 'text', new Blob(['x']), { content: 'x' }, { name: 'a' }])
      expect(() => void files.upload(wrong as never))
        .to.throw()
        .with.property('code', 'argument-invalid');
  });

  it('is downloaded as a Response, whose body fails where it breaks off', async () => {
    const headers = { 'content-type': 'text/plain' };
    const whole = scriptedService([() => new Response('Hello', { headers })]);
    const response = await whole.files.download('f');
    expect(response.headers.get('content-type')).to.equal('text/plain');
    expect(await response.text()).to.equal('Hello');
    const half = scriptedService([pieces(['Hel'], { thenBreak: true })]);
    const error = await failureOf((await half.files.download('f')).text());
    expect(error).to.include({ name: 'ParleyConnectionError', reason: 'lost' });
  });
});

describe('listening to events', () => {
  const changed = (id: string) => ({
    type: 'task.changed' as const,
    timestamp: '2026-01-05T09:30:00.000Z',
    data: { id, change: 'created', agentId: null, conversationId: null },
  });
  const told = (place: string, id: string) => `id: ${place}\n${sent(changed(id))}`;
  const take = async (events: AsyncIterable<{ id: string }>, count: number) => {
    const taken: string[] = [];
    for await (const { id } of events) if (taken.push(id) === count) break;
    return taken;
  };
  const placesOf = (service: { requests: readonly { headers: Headers }[] }) =>
    service.requests.map(({ headers }) => headers.get('last-event-id'));

  it('gives each event with its place', async () => {
    const service = scriptedService([pieces(['id: 0-1\n\n', told('1-0', 'a'), told('2-0', 'b')])]);
    const [first] = [changed('a')];
    for await (const event of service.events.listen()) {
      expect(event).to.deep.equal({ ...first, id: '1-0' });
      break;
    }
    expect(service.requests[0]?.headers.get('accept')).to.equal('text/event-stream');
    expect(service.requests[0]?.path).to.equal('/api/v1/Event');
  });

  it('goes on after the last place, whether its connection broke or ended', async () => {
    const service = scriptedService([
      pieces(['id: 0-1\n\n', told('1-0', 'a')], { thenBreak: true }),
      pieces([': keep-alive\nid: 1-5\n\n']),
      broken,
      pieces([told('2-0', 'b'), told('2-1', 'c')]),
    ]);
    const own = { lastEventId: '0-0' };
    expect(await take(service.events.listen(own), 3)).to.deep.equal(['1-0', '2-0', '2-1']);
    expect(placesOf(service)).to.deep.equal(['0-0', '1-0', '1-5', '1-5']);
  });

  it('outlives any number of connections that brought something', async () => {
    const service = scriptedService([
      ...Array.from({ length: 10 }, (_, n) => pieces([`id: ${n}-0\n\n`])),
      pieces([told('11-0', 'a')]),
    ]);
    expect(await take(service.events.listen(), 1)).to.deep.equal(['11-0']);
  });

  it('gives up when connections bring nothing, or when the key is refused', async () => {
    const silent = scriptedService([pieces([])]);
    expect(await failureOf(take(silent.events.listen(), 1))).to.include({ reason: 'lost' });
    const refused = scriptedService([
      pieces([told('1-0', 'a')], { thenBreak: true }),
      problem(401, 'key-invalid'),
    ]);
    expect(await failureOf(take(refused.events.listen(), 2))).to.include({ status: 401 });
  });
});
