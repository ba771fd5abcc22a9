import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Outcome } from '@parley/database';
import type { SaidMessage } from '#src/core/ledger.js';
import { Recorder } from '#src/records/session-recorder.js';

const session = {
  sessionId: randomUUID(),
  organizationId: randomUUID(),
  conversationId: randomUUID(),
};

const said = (n: number, content = 'Hi.'): SaidMessage => ({
  key: `item ${n}`,
  contentIndex: 0,
  itemId: null,
  role: 'user',
  content,
  author: null,
  status: 'completed',
  position: n,
  createdAt: 0,
  interrupted: false,
  audioEndMs: null,
  usage: null,
});

/** A recorder whose journal settles nothing by itself. */
function open() {
  const waiting: ((outcome: Outcome) => void)[] = [];
  const counted: Outcome[] = [];
  const recorder = new Recorder({
    session,
    metrics: {
      settled: ({ outcome }) => void counted.push(outcome),
      retried: () => undefined,
      used: () => undefined,
    },
    add: (_change, onSettled) => waiting.push(onSettled ?? (() => undefined)),
  });
  const told: (string | undefined)[] = [];
  const say = (n: number, content?: string) =>
    recorder.message(said(n, content), (id) => told.push(id));
  return { recorder, waiting, counted, told, say };
}

describe('a session’s recorder', () => {
  it('gives a message the same id whenever it is written', () => {
    const [first, again] = [open(), open()];
    for (const { say, waiting } of [first, again]) {
      say(1);
      waiting[0]!('stored');
    }
    expect(first.told[0]).to.be.a('string').and.equal(again.told[0]);
  });

  it('tells once that the conversation is gone, and asks no more', () => {
    const { recorder, waiting, counted, told, say } = open();
    for (let n = 0; n < 3; n += 1) say(n);
    for (const settle of waiting) settle('gone');
    say(4);
    recorder.amend([{ key: 'item 1', contentIndex: 0 }], { interrupted: true });
    expect(waiting).to.have.length(3);
    expect(told).to.deep.equal([undefined]);
    expect(counted).to.deep.equal(['gone', 'gone']);
  });
});
