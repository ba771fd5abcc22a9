import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { Deadline, pause } from '#src/server/deadline.js';
import { failureOf } from './support/scripted-service.js';

describe('a pause', () => {
  it('ends by itself, and leaves nothing behind', async () => {
    const { signal } = new AbortController();
    await pause(1, [signal]);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('ends with a signal, before or while it waits', async () => {
    const abort = new AbortController();
    const waiting = failureOf(pause(1_000_000, [new AbortController().signal, abort.signal]));
    abort.abort('enough');
    expect(await waiting).to.include({ reason: 'aborted', cause: 'enough' });
    const late = await failureOf(pause(1_000_000, [abort.signal]));
    expect(late).to.include({ reason: 'aborted' });
    expect(getEventListeners(abort.signal, 'abort')).to.deep.equal([]);
  });
});

describe('a deadline', () => {
  it('tells a signal, a timeout and a lost connection apart', async () => {
    const error = new Error('terminated');
    const abort = new AbortController();
    const left = new Deadline(1_000_000, [abort.signal]);
    expect(left.failureOf(error)).to.include({ reason: 'lost', cause: error });
    abort.abort();
    expect(left.failureOf(error)).to.include({ reason: 'aborted' });
    left.end();
    const late = new Deadline(1, []);
    await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
    expect(late.failureOf(error)).to.include({ reason: 'timeout' });
  });
});
