import { expect } from 'chai';
import { needs } from '@parley/testkit';
import { seriousOn } from './support/axe.js';
import { ConsoleUnderTest, type Visitor } from './support/console-under-test.js';
import { everyPage } from './support/every-page.js';
import { furnish, type Furnished } from './support/furnish.js';
import { settled } from './support/settled.js';

/** What moved on the page without anybody touching it. */
const watchShifts = `
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput)
        shifts.push({ value: entry.value, what: entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120)) });
  }).observe({ type: 'layout-shift', buffered: true });`;

const kilobyte = 1024;

describe('the pages of the console', () => {
  needs('chromium');
  let app: ConsoleUnderTest;
  let made: Furnished;

  before(async () => {
    app = await ConsoleUnderTest.open();
    made = await furnish(app.parley, app.credentials.agentId);
  });
  after(() => app.close());

  describe('one by one', () => {
    let visitor: Visitor;
    before(async () => {
      visitor = await app.visit();
      await visitor.page.addInitScript(watchShifts);
    });
    after(() => visitor.close());

    for (const name of Object.keys(everyPage({ agentId: '', conversationId: '', webhookId: '' })))
      it(`stand still, fit a phone, and have nothing that axe calls serious: ${name}`, async () => {
        const { page, complaints } = visitor;
        complaints.length = 0;
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(app.url(everyPage(made)[name]));
        await settled(page);
        const shifts = await page.evaluate<{ value: number }[]>('shifts');
        const moved = shifts.reduce((sum, { value }) => sum + value, 0);
        expect(moved, JSON.stringify(shifts)).to.be.below(0.02);
        expect(await seriousOn(page), 'light').to.deep.equal([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await seriousOn(page), 'dark').to.deep.equal([]);
        await page.setViewportSize({ width: 390, height: 800 });
        const fits = () => document.documentElement.scrollWidth === 390;
        await page.waitForFunction(fits, undefined, { timeout: 10_000 }).catch(() => undefined);
        expect(await page.evaluate(fits), 'fits a phone').to.equal(true);
        expect(complaints, 'what the browser complained about').to.deep.equal([]);
        expect(await page.title()).not.to.include('hacked');
      });
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`have nothing that axe calls serious: signing in, and being refused, in ${colorScheme}`, async () => {
      const { page, close } = await app.newPage({ colorScheme });
      await page.goto(`${app.credentials.baseUrl}/console/#sign-in-failed=stranger`);
      await page.getByRole('alert').waitFor();
      expect(await seriousOn(page)).to.deep.equal([]);
      await close();
    });

  it('begin with at most 200 kB of script, before what draws charts', async () => {
    const { page, close } = await app.newPage();
    const { token } = await app.newMember('owner');
    const sizes: Promise<number>[] = [];
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script' && !request.url().includes('chart-canvas'))
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await page.goto(`${app.url()}#sign-in=${token}`);
    await settled(page);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    await close();
    expect(bytes)
      .to.be.above(50 * kilobyte)
      .and.below(200 * kilobyte);
  });
});
