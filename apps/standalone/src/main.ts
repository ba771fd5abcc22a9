import { runProcess } from '@parley/service-kit';
import { startStandalone } from './standalone.js';
import { welcome } from './welcome.js';

const { OPENAI_DOOR: door = '' } = process.env;
// A server for one person admits every client that has a key.
const env = { ...process.env, OPENAI_DOOR: door === '' ? 'true' : door };
const warn = (warning: string) => console.warn(warning);

await runProcess('standalone', { env, internalHost: '127.0.0.1', warn }, async (own) => {
  console.log('Parley is starting …');
  const say = (line: string) => console.log(`  ${line}`);
  const { credentials, consoleUrl, dataDir } = await startStandalone({ ...own, say });
  console.log(welcome(credentials, { consoleUrl, dataDir }));
  return undefined;
});
