import { expect } from 'chai';
import { EventStream } from '#src/http/event-stream.js';

describe('a stream of events', () => {
  const read = async (stream: EventStream): Promise<string[]> => {
    const texts: string[] = [];
    for await (const text of stream) texts.push(text);
    return texts;
  };

  it('tells what was sent before it is read, and while', async () => {
    const stream = new EventStream();
    stream.send('{"type":"a","data":1}');
    const reading = read(stream);
    stream.send('{"type":"b","data":2}');
    stream.comment('bye');
    stream.end();
    expect(await reading).to.deep.equal([
      'event: a\ndata: {"type":"a","data":1}\n\n',
      'event: b\ndata: {"type":"b","data":2}\n\n',
      ': bye\n\n',
    ]);
  });

  it('keeps a bounded amount for a reader who does not read, and lets go of him then', async () => {
    const stream = new EventStream();
    const event = JSON.stringify({ type: 'a', data: 'x'.repeat(100_000) });
    for (let n = 0; n < 10; n++) stream.send(event);
    expect(stream.left.aborted).to.equal(false);
    stream.send(event);
    expect(stream.left.aborted).to.equal(true);
    stream.send(event);
    expect(await read(stream)).to.deep.equal([]);
  });

  it('is never silent for long', async () => {
    for await (const text of new EventStream({ keepAliveMs: 1 })) {
      expect(text).to.equal(': keep-alive\n\n');
      break;
    }
  });

  it('notices a reader who leaves', async () => {
    const stream = new EventStream();
    stream.send('{"type":"a"}');
    for await (const text of stream) {
      expect(text).to.match(/^event: a/);
      break;
    }
    expect(stream.left.aborted).to.equal(true);
  });
});
