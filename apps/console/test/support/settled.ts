import type { Page } from 'playwright-core';

/** Its title is there, perhaps behind a dialog, and nothing on it is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, includeHidden: true }).waitFor();
  await page.waitForFunction(
    () => document.querySelector('[aria-busy="true"], [data-loading]') === null,
  );
}
