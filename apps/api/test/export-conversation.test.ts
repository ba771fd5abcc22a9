import { expect } from 'chai';
import { exportChunks } from '#src/conversations/export-conversation.js';

describe('the export of a conversation', () => {
  /** So many batches of one item each; counts how many were read. */
  const batches = (count: number) => {
    const reads = { count: 0 };
    const next = () => {
      reads.count += 1;
      return Promise.resolve(reads.count <= count ? [{ n: reads.count }] : []);
    };
    return { reads, next };
  };

  it('is one JSON object, whatever its parts hold', async () => {
    const parts = { messages: batches(3).next, approvals: batches(0).next, tasks: batches(1).next };
    let text = '';
    for await (const chunk of exportChunks({ conversation: { id: 'c' }, parts })) text += chunk;
    expect(JSON.parse(text)).to.deep.equal({
      conversation: { id: 'c' },
      messages: [{ n: 1 }, { n: 2 }, { n: 3 }],
      approvals: [],
      tasks: [{ n: 1 }],
    });
  });

  it('reads a batch when the one before it was taken, and no more for a reader that leaves', async () => {
    const { reads, next } = batches(1_000_000);
    const chunks = exportChunks({ conversation: {}, parts: { messages: next } });
    for (let taken = 0; taken < 5; taken += 1) await chunks.next();
    expect(reads.count).to.equal(3);
    await chunks.return(undefined);
    expect(reads.count).to.equal(3);
  });

  it('breaks off where a batch cannot be read', async () => {
    const next = () => Promise.reject(new Error('gone'));
    const chunks = exportChunks({ conversation: {}, parts: { messages: next } });
    await chunks.next();
    await chunks.next();
    const failure: unknown = await chunks.next().catch((error: unknown) => error);
    expect(failure).to.be.an('error').with.property('message', 'gone');
  });
});
