import type { Credentials } from './data-dir.js';

/** What a person needs next, in one block to copy from. */
export function welcome(
  credentials: Credentials,
  { consoleUrl, dataDir }: { consoleUrl: string; dataDir: string },
): string {
  const { baseUrl, organizationId, apiKey, agentId } = credentials;
  const rows: [string, string][] = [
    ['Base URL', baseUrl],
    ['Docs', `${baseUrl}/docs/quick-start`],
    ['Organization', organizationId],
    ['API key', apiKey],
    ['Demo agent', agentId],
    ['Saved in', `${dataDir}/credentials.json`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    '',
    'Parley is ready.',
    '',
    `  Console: ${consoleUrl}`,
    '  The link signs you in once, within 10 minutes; each start prints a new one.',
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    '  Try it:',
    '',
    `  curl -H 'X-Api-Key: ${apiKey}' -H 'X-Org-Id: ${organizationId}' ${baseUrl}/api/v1/Agent`,
    '',
    '  Press Ctrl-C to stop; your data is kept.',
    '',
    '',
  ].join('\n');
}

/** How a person on this machine reaches the public port. */
export function localUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '127.0.0.1';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
