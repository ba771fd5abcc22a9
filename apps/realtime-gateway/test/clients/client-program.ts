import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Connection, Outcome, Scenario } from './scenarios.js';

/** A program that runs the scenarios named on its standard input, and prints what came of each as a line of JSON. */
export async function runScenarios(
  run: (scenario: Scenario, connection: Connection) => Promise<Outcome>,
): Promise<void> {
  const { PARLEY_BASE_URL, PARLEY_API_KEY, PARLEY_MODEL, PARLEY_SPEECH } = process.env;
  const connection = {
    baseUrl: PARLEY_BASE_URL!,
    apiKey: PARLEY_API_KEY!,
    model: PARLEY_MODEL!,
    speech: await readFile(PARLEY_SPEECH!),
  };
  for (const scenario of (await text(process.stdin)).split('\n')) {
    const outcome = await run(scenario as Scenario, connection);
    process.stdout.write(`${JSON.stringify({ scenario, ...outcome })}\n`);
  }
  process.exit(0);
}
