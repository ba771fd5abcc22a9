import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { Journal, journalLimits, type JournalLimits, type Outcome } from '#src/journal/journal.js';

/** A journal of words: the database refuses "bad" for good, and everything while it is away. */
function open(limits: Partial<JournalLimits> = {}) {
  const database = { away: false, batches: [] as string[][] };
  const settled: string[] = [];
  const givenUp: number[] = [];
  const journal = new Journal<string>({
    limits: { firstRetryMs: 1, lastRetryMs: 5, closeMs: 50, ...limits },
    async write(_lane, words) {
      await Promise.resolve();
      if (database.away) throw new Error('away');
      if (words.includes('bad')) throw new Error('refused');
      database.batches.push([...words]);
      return new Set(words.filter((word) => word === 'homeless'));
    },
    isPassing: (error) => (error as Error).message === 'away',
    onRetry: () => undefined,
    onRefused: () => undefined,
    onGivenUp: (changes) => givenUp.push(changes),
  });
  const add = (change: string, holder = 'holder') =>
    journal.add({
      lane: 'lane',
      holder,
      change,
      characters: change.length,
      onSettled: (outcome: Outcome) => settled.push(`${change} ${outcome}`),
    });
  return { journal, database, settled, givenUp, add };
}

describe('a journal', () => {
  it('writes together what gathers while it writes, in order', async () => {
    const { database, settled, add } = open();
    for (const word of ['a', 'b', 'c']) add(word);
    await waitFor(() => settled.length === 3, { what: 'three words' });
    expect(database.batches.flat()).to.deep.equal(['a', 'b', 'c']);
    expect(database.batches.length).to.be.lessThan(3);
    expect(settled).to.deep.equal(['a stored', 'b stored', 'c stored']);
  });

  it('gives up alone what is refused for good', async () => {
    const { settled, add } = open();
    for (const word of ['a', 'b', 'bad', 'c']) add(word);
    await waitFor(() => settled.length === 4, { what: 'four words' });
    expect(settled).to.deep.equal(['a stored', 'b stored', 'bad failed', 'c stored']);
  });

  it('tells what has no place any more, and writes the rest at once', async () => {
    const { database, settled, add } = open();
    for (const word of ['a', 'b', 'homeless', 'c']) add(word);
    await waitFor(() => settled.length === 4, { what: 'four words' });
    expect(settled).to.deep.equal(['a stored', 'b stored', 'homeless gone', 'c stored']);
    expect(database.batches).to.have.length(2);
  });

  it('waits for the database within bounds', async () => {
    const { journal, database, settled, add } = open({ maxWaiting: 2 });
    database.away = true;
    for (const word of ['a', 'b', 'c']) add(word);
    expect(settled).to.deep.equal(['c failed']);
    expect(journal.waiting).to.equal(2);
    database.away = false;
    await waitFor(() => journal.waiting === 0, { what: 'an empty journal' });
    expect(settled.slice(1)).to.deep.equal(['a stored', 'b stored']);
  });

  it('has the bounds that operators are told', () => {
    const { maxWaiting, maxWaitingCharacters, maxHeld, maxHeldCharacters } = journalLimits;
    const bounds = (changes: number, characters: number) =>
      `${changes.toLocaleString('en')} changes or ${characters / 2 ** 20} Mi characters`;
    expect(readFileSync(join(import.meta.dirname, '../../../deploy/README.md'), 'utf8'))
      .to.include(`${bounds(maxWaiting, maxWaitingCharacters)} of a process`)
      .and.include(`${bounds(maxHeld, maxHeldCharacters)} of one session or question`);
  });

  it('bounds what waits by its text too', async () => {
    const { journal, database, settled, add } = open({ maxWaitingCharacters: 5 });
    database.away = true;
    add('four');
    add('more');
    expect(settled).to.deep.equal(['more failed']);
    await journal.close();
  });

  it('lets none of those who share it use up what is there for all', async () => {
    const { journal, database, settled, add } = open({ maxHeld: 2, maxHeldCharacters: 8 });
    database.away = true;
    for (const word of ['a', 'b', 'c']) add(word, 'greedy');
    for (const word of ['long', 'longer']) add(word, 'loud');
    expect(settled).to.deep.equal(['c failed', 'longer failed']);
    database.away = false;
    await waitFor(() => journal.waiting === 0, { what: 'an empty journal' });
    add('d', 'greedy');
    await journal.caughtUp('lane');
    expect(settled.slice(2)).to.deep.equal(['a stored', 'b stored', 'long stored', 'd stored']);
  });

  it('has caught up once what it was told before is settled', async () => {
    const { journal, settled, add } = open({ maxBatch: 2 });
    await journal.caughtUp('lane');
    for (const word of ['a', 'b', 'bad']) add(word);
    const caughtUp = journal.caughtUp('lane');
    await caughtUp;
    expect(settled).to.deep.equal(['a stored', 'b stored', 'bad failed']);
  });

  it('lets nobody wait for a database that is away', async () => {
    const { journal, database, settled, add } = open({ firstRetryMs: 10_000, lastRetryMs: 10_000 });
    database.away = true;
    add('a');
    await journal.caughtUp('lane');
    add('b');
    await journal.caughtUp('lane');
    expect(settled).to.be.empty;
    await journal.close();
    expect(settled).to.deep.equal(['a failed', 'b failed']);
  });

  it('writes what is left when it closes, and gives up what the database does not take', async () => {
    const [well, ill] = [open(), open()];
    well.add('a');
    ill.database.away = true;
    for (const word of ['b', 'c']) ill.add(word);
    await Promise.all([well.journal.close(), ill.journal.close()]);
    expect(well.settled).to.deep.equal(['a stored']);
    expect(ill.settled).to.deep.equal(['b failed', 'c failed']);
    expect([well.givenUp, ill.givenUp]).to.deep.equal([[], [2]]);
    ill.add('late');
    expect(ill.settled).to.deep.equal(['b failed', 'c failed', 'late failed']);
  });
});
