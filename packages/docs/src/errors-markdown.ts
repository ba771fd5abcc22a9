import { closeCodes, problems, realtimeErrors, refusals, shortfalls } from '@parley/protocol';
import { closeRemedies, eventRemedies, realtimeRemedies } from './realtime-remedies.js';
import type { Remedy } from './remedy.js';
import { problemRemedies } from './rest-remedies.js';

/** The page of errors, from the catalogues themselves: what each means, why it usually happens, and what to do. */
export function errorsMarkdown(): string {
  return [
    '## REST errors',
    '',
    'The answer is `application/problem+json`: `{type, title, status, detail, errors?}`. The last part of `type` is the code below.',
    '',
    ...keysOf(problems).flatMap((code) => {
      const { status, title, doc } = problems[code];
      return entry(`\`${code}\``, `**${status} ${title}.** ${doc}`, problemRemedies[code]);
    }),
    '## Realtime errors',
    '',
    'Creating a session answers these with HTTP 400 and exactly `{status, detail, errorCode}`. The last three are also told when the WebSocket is opened.',
    '',
    ...keysOf(realtimeErrors).flatMap((code) =>
      entry(`\`${code}\``, realtimeErrors[code].doc, realtimeRemedies[code]),
    ),
    '## Close codes',
    '',
    'A session that ends tells why in an `error` event, then closes with one of these. The close reason is the name.',
    '',
    ...keysOf(closeCodes).flatMap((name) => {
      const { code, retry, doc } = closeCodes[name];
      const again = retry
        ? 'A new session may be created at once.'
        : 'Do not reconnect automatically.';
      return entry(`${code} \`${name}\``, `${doc} ${again}`, closeRemedies[name]);
    }),
    '## Errors while a session goes on',
    '',
    'These come as an `error` event with `error.type` `service_error`. The session stays open.',
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
