// A text chat with an agent in the terminal. The agent can call a tool that reads the load of this
// machine.
import { loadavg } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { ParleyError, RealtimeSession } from '@parley/client';
import { Parley } from '@parley/client/server';

const { PARLEY_URL, PARLEY_API_KEY, PARLEY_ORGANIZATION, PARLEY_AGENT } = process.env;
const parley = new Parley({
  baseUrl: PARLEY_URL,
  apiKey: PARLEY_API_KEY,
  organizationId: PARLEY_ORGANIZATION,
});

const tools = {
  machine_load: {
    description: 'Returns how busy this machine is.',
    execute: () => ({ load: loadavg()[0] }),
  },
};

try {
  const session = await RealtimeSession.connect({
    baseUrl: PARLEY_URL,
    create: (request) => parley.realtimeSessions.create(PARLEY_AGENT, request),
    tools,
  });
  const terminal = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ' });

  session.on('transcript', ({ role, text, final }) => {
    if (role === 'assistant' && final) console.log(text);
  });
  session.on('tool', ({ name, state }) => console.log(`(${name}: ${state})`));
  session.on('approval', async (approval) => {
    if (approval.state !== 'waiting' || !approval.decidable) return;
    const { title, name, arguments: given } = approval.call;
    const answer = await terminal.question(`${title ?? name} ${JSON.stringify(given)}? (y/n) `);
    if (answer === 'y') approval.approve();
    else approval.reject();
  });
  session.on('error', ({ message }) => console.error(message));
  session.on('state', ({ state, error }) => {
    if (error) console.error(`${state}: ${error.message}`);
    if (state === 'closed') terminal.close();
  });

  console.log('Type a message. Press Ctrl-D to quit.');
  terminal.on('line', (line) => {
    if (line.trim()) session.sendText(line);
  });
  terminal.on('close', () => session.close());
} catch (error) {
  console.error(error instanceof ParleyError ? error.message : error);
  process.exitCode = 1;
}
