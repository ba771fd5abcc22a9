import { join } from 'node:path';
import type { ForeignClient } from '@parley/docs';
import { runProgram, toolsFolder, type NeedName } from '@parley/testkit';
import { inChromium } from './in-chromium.js';
import type { Parley } from './parley.js';
import { scenarios, type Outcome, type Scenario } from './scenarios.js';

export type Outcomes = ReadonlyMap<Scenario, Outcome>;

/** A client that we did not write, and how it is made to run all scenarios with one agent. */
export type Client = {
  readonly needs: readonly NeedName[];
  run(parley: Parley, agentId: string): Promise<Outcomes>;
};

const here = import.meta.dirname;
const python = () => join(toolsFolder(), 'contract/clients/bin/python');
const inPython = (file: string): Client => ({
  needs: ['openssl', 'python-clients'],
  run: byProgram(python, join(here, '../../test/clients/python', file)),
});
const inNode = (file: string): Client => ({
  needs: ['openssl'],
  run: byProgram(() => process.execPath, join(here, file)),
});

/** Each that the docs promise. */
export const clients: Readonly<Record<ForeignClient, Client>> = {
  'openai (npm)': inNode('openai-program.js'),
  '@openai/agents-realtime in Node': inNode('agents-realtime-program.js'),
  '@openai/agents-realtime in a browser': { needs: ['openssl', 'chromium'], run: inChromium },
  'openai (PyPI)': inPython('openai_client.py'),
  'pydantic-ai': inPython('pydantic_ai_client.py'),
  'pipecat-ai': inPython('pipecat_client.py'),
  'livekit-plugins-openai': inPython('livekit_client.py'),
};

function byProgram(program: () => string, file: string): Client['run'] {
  return async ({ baseUrl, apiKey, ca, speech }, agentId) => {
    const running = runProgram(program(), [file], {
      input: scenarios.join('\n'),
      env: {
        ...{ PARLEY_BASE_URL: baseUrl, PARLEY_API_KEY: apiKey, PARLEY_MODEL: agentId },
        ...{ PARLEY_SPEECH: speech, NODE_EXTRA_CA_CERTS: ca, SSL_CERT_FILE: ca },
      },
    });
    const code = await running.ended;
    const lines = running.output.split('\n').filter((line) => line.startsWith('{"scenario"'));
    if (code !== 0 || lines.length < scenarios.length)
      throw new Error(`The client ended with ${code}:\n${running.output}`);
    return new Map(
      lines.map((line) => {
        const { scenario, ...outcome } = JSON.parse(line) as Outcome & { scenario: Scenario };
        return [scenario, outcome];
      }),
    );
  };
}
