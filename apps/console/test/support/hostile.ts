import type { Page } from 'playwright-core';
import { RealtimeSession } from '@parley/client';
import { insertMember, obtainUser } from '@parley/database';
import type { ConsoleUnderTest } from './console-under-test.js';

const override = '\u202e';

/** What somebody writes who wants to run a script, and to turn the text around it backwards. */
export const hostile = `${override}<img src=x onerror="globalThis.hacked=true">`;

/** Written wherever somebody else reads it. Tells the pages that show it; `end` lets go of the call that waits. */
export async function beHostile(
  app: ConsoleUnderTest,
): Promise<{ paths: readonly string[]; end: () => void }> {
  const { parley, credentials } = app;
  const { agentId, baseUrl, organizationId } = credentials;
  const agent = await parley.agents.create({ name: hostile, systemMessage: hostile });
  await parley.tasks.create({ title: hostile, description: hostile });
  await parley.files.upload({ name: `${hostile}.txt`, content: hostile });
  await parley.connections.create({ name: hostile, kind: 'simulator' });
  await parley.questions.ask(agent.id, { question: hostile });
  const timeZone = JSON.stringify({ timeZone: hostile });
  const { conversationId } = await parley.questions.ask(agentId, {
    question: `!call current_time ${timeZone}`,
  });
  await parley.questions.ask(agentId, { question: `!say ${hostile}`, conversationId });
  const email = 'mallory@example.com';
  const userId = await app.database.asSystem((system) =>
    obtainUser(system, { email, name: hostile }),
  );
  await app.database.inOrganization(organizationId, (scope) =>
    insertMember(scope, { userId, role: 'viewer' }),
  );
  const session = await RealtimeSession.connect({
    baseUrl,
    create: ({ conversationId: id }) =>
      parley.realtimeSessions.create(agentId, { conversationId: id }),
  });
  const waiting = new Promise<void>((resolve) => {
    session.on('approval', () => resolve());
  });
  session.sendText(`!call create_task ${JSON.stringify({ title: hostile })}`);
  await waiting;
  const { items } = await parley.audit.list({ action: 'connection.created' });
  return {
    paths: [
      'agents',
      `agents/${agent.id}`,
      'tasks',
      'files',
      'connections',
      'members',
      'conversations',
      `conversations/${conversationId}`,
      'approvals',
      `audit?id=${items.at(-1)?.sequence}`,
    ],
    end: () => session.close(),
  };
}

/** It can be read there, or is in a field. */
export async function showsHostile(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.body.innerText.includes('onerror') ||
      [...document.querySelectorAll('textarea')].some(({ value }) => value.includes('onerror')),
  );
}

/** What of the hostile text is more than text on this page. */
export async function harmOn(page: Page): Promise<string[]> {
  return page.evaluate((mark) => {
    const harm: string[] = [];
    if ('hacked' in globalThis) harm.push('its script ran');
    if (document.querySelector('img[src="x"]')) harm.push('it became an element');
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? '';
      if (!text.includes(mark) || node.parentElement?.closest('pre')) continue;
      // Nothing beyond an element that is isolated, or a block of its own, is turned.
      let around = node.parentElement;
      while (
        around &&
        getComputedStyle(around).unicodeBidi === 'normal' &&
        getComputedStyle(around).display === 'inline'
      )
        around = around.parentElement;
      const beside = (around?.textContent ?? '').replace(text, '').trim();
      if (beside !== '') harm.push(`it turns "${beside}" in ${around?.outerHTML.slice(0, 200)}`);
    }
    return harm;
  }, override);
}
