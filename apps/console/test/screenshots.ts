// npm run screenshots: a picture of every page, in both themes, on a screen and on a phone.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ConsoleUnderTest } from './support/console-under-test.js';
import { everyPage } from './support/every-page.js';
import { furnish } from './support/furnish.js';

const folder = process.argv[2] ?? 'screenshots';
const sizes = { screen: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

await mkdir(folder, { recursive: true });
const app = await ConsoleUnderTest.open();
try {
  const made = await furnish(app.parley, app.credentials.agentId);
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, close } = await app.visit({ viewport, colorScheme });
      for (const [name, path] of Object.entries(everyPage(made))) {
        await page.goto(app.url(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null);
        const file = join(folder, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path: file });
        console.log(file);
      }
      await close();
    }
} finally {
  await app.close();
}
