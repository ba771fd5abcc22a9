import { closeCodes, problems, realtimeErrors, refusals, shortfalls } from '@parley/protocol';
import { closeRemedies, eventRemedies, realtimeRemedies } from './realtime-remedies.js';
import type { Remedy } from './remedy.js';
import { problemRemedies } from './rest-remedies.js';

/**
 * The page of errors, from the catalogues themselves: what each means, its usual cause, and what to
 * do.
 */
export function errorsMarkdown(): string {
  return [
    '## REST errors',
    '',
    'The response is `application/problem+json`: `{type, title, status, detail, errors?}`. The last part of `type` is the code below.',
    '',
    ...keysOf(problems).flatMap((code) => {
      const { status, title, doc } = problems[code];
      return entry(`\`${code}\``, `**${status} ${title}.** ${doc}`, problemRemedies[code]);
    }),
    '## Realtime errors',
    '',
    'Creating a session returns these with HTTP 400 and exactly `{status, detail, errorCode}`. The last three can also occur when the WebSocket is opened.',
    '',
    ...keysOf(realtimeErrors).flatMap((code) =>
      entry(`\`${code}\``, realtimeErrors[code].doc, realtimeRemedies[code]),
    ),
    '## Close codes',
    '',
    'A session that ends announces the reason in an `error` event, then closes with one of these codes. The close reason is the name.',
    '',
    ...keysOf(closeCodes).flatMap((name) => {
      const { code, retry, doc } = closeCodes[name];
      const again = retry
        ? 'You can create a new session immediately.'
        : 'Do not reconnect automatically.';
      return entry(`${code} \`${name}\``, `${doc} ${again}`, closeRemedies[name]);
    }),
    '## Errors during a session',
    '',
    'These are sent as an `error` event with `error.type` `service_error`. The session stays open.',
    '',
    ...keysOf({ ...refusals, ...shortfalls }).flatMap((code) =>
      entry(`\`${code}\``, { ...refusals, ...shortfalls }[code].doc, eventRemedies[code]),
    ),
  ].join('\n');
}

function entry(title: string, meaning: string, { cause, action }: Remedy): string[] {
  const lines = [meaning, '', `**Usual cause:** ${cause}`, '', `**What to do:** ${action}`];
  return [`### ${title}`, '', ...lines, ''];
}

const keysOf = <T extends object>(catalogue: T) => Object.keys(catalogue) as (keyof T)[];
