import { expect } from 'chai';
import fc from 'fast-check';
import { Listing, type Page } from '#src/server/listing.js';
import { collect, json, scriptedService } from './support/scripted-service.js';

type Item = { readonly id: number };

/** A list that can change while it is read. */
function listOf(items: Item[], place: { offset?: number; limit?: number } = {}) {
  return new Listing<Item>(({ offset = 0, limit = 3 }) => {
    const page: Page<Item> = {
      items: items.slice(offset, offset + limit),
      total: items.length,
      offset,
      limit,
    };
    return Promise.resolve(page);
  }, place);
}

const numbered = (length: number) => Array.from({ length }, (_, id) => ({ id }));

describe('a list', () => {
  it('is one page when it is awaited', async () => {
    const page = { items: [{ id: '1' }], total: 9, offset: 2, limit: 1 };
    const service = scriptedService([json(page)]);
    expect(await service.agents.list({ offset: 2, limit: 1 })).to.deep.equal(page);
    expect(service.requests.map(({ path }) => path)).to.deep.equal([
      '/api/v1/Agent?Offset=2&Limit=1',
    ]);
  });

  it('sends nothing before somebody wants it, and asks once for one page', async () => {
    const service = scriptedService([json({ items: [], total: 0, offset: 0, limit: 50 })]);
    const list = service.agents.list();
    expect(service.requests).to.deep.equal([]);
    await list;
    await list.finally(() => undefined);
    expect(service.requests).to.have.length(1);
  });

  it('tells of its failure like any promise', async () => {
    const service = scriptedService([json({}, { status: 400 })]);
    const told = await service.agents.list().catch((error: unknown) => error);
    expect(told).to.include({ name: 'ParleyApiError', status: 400 });
  });

  it('is all items when it is looped over, wherever it begins', async () => {
    const lengths = fc.record({
      length: fc.nat(20),
      offset: fc.nat(25),
      limit: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(lengths, async ({ length, offset, limit }) => {
        const items = numbered(length);
        expect(await collect(listOf(items, { offset, limit }))).to.deep.equal(items.slice(offset));
      }),
    );
  });

  it('misses nothing while its items go away, and repeats nothing', async () => {
    const lengths = fc.record({
      length: fc.nat(30),
      limit: fc.integer({ min: 1, max: 9 }),
      goes: fc.infiniteStream(fc.boolean()),
    });
    await fc.assert(
      fc.asyncProperty(lengths, async ({ length, limit, goes }) => {
        const items = numbered(length);
        const seen: Item[] = [];
        for await (const item of listOf(items, { limit })) {
          seen.push(item);
          if (goes.next().value) items.splice(items.indexOf(item), 1);
        }
        expect(seen).to.deep.equal(numbered(length));
      }),
    );
  });

  it('has what is added meanwhile', async () => {
    const items = numbered(4);
    const seen: Item[] = [];
    for await (const item of listOf(items)) {
      seen.push(item);
      if (item.id === 0) items.push({ id: 4 });
    }
    expect(seen).to.deep.equal(numbered(5));
  });
});
