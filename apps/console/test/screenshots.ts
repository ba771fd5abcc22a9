// npm run screenshots: a picture of every page, in both themes, on a screen and on a phone.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { teardown } from '@parley/testkit';
import { ConsoleUnderTest } from './support/console-under-test.js';
import { everyPage } from './support/every-page.js';
import { furnish, type Furnished } from './support/furnish.js';
import { settled } from './support/settled.js';

const folder = process.argv[2] ?? 'screenshots';
const sizes = { screen: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

await mkdir(folder, { recursive: true });
const app = await ConsoleUnderTest.open();
try {
  const made = await furnish(app.parley, app.credentials.agentId);
  for (const size of ['screen', 'phone'] as const)
    for (const theme of ['light', 'dark'] as const) await takeAll(made, size, theme);
  await takeCall();
} finally {
  await app.close();
  await teardown();
}

async function takeAll(
  made: Furnished,
  size: keyof typeof sizes,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const visitor = await app.visit({ viewport: sizes[size], colorScheme });
  const { page } = visitor;
  for (const [name, path] of Object.entries(everyPage(made))) {
    await page.goto(app.url(path));
    await settled(page);
    const file = join(folder, `${name}-${size}-${colorScheme}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
  await visitor.close();
}

/** The picture of the README: a conversation in which a tool waits for approval. */
async function takeCall(): Promise<void> {
  const visitor = await app.visit({
    viewport: { width: 1280, height: 800 },
    path: `playground?agent=${app.credentials.agentId}`,
  });
  const { page } = visitor;
  const composer = page.getByPlaceholder('Write to the agent');
  await composer.fill('Good morning! What time is it?');
  await composer.press('Enter');
  await page.getByText('Here is what current time returned').waitFor();
  await composer.fill('Please create a task to call Ada back tomorrow.');
  await composer.press('Enter');
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await page.screenshot({ path: join(folder, 'playground-call.png') });
  await visitor.close();
}
