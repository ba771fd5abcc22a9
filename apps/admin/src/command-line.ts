import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connectDatabase, migrate } from '@parley/database';
import { commands, type Answer, type Command, type Input } from './commands.js';
import { table } from './table.js';
import { UsageError } from './usage.js';

export type Terminal = {
  stdin: NodeJS.ReadableStream;
  print: (text: string) => void;
};

export type Request = {
  words: string[];
  options: Record<string, string>;
  json: boolean;
  yes: boolean;
};

export function readArguments(args: readonly string[]): Request {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        org: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        email: { type: 'string' },
        json: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { json = false, yes = false, help, ...options } = values;
    return { words: help ? ['help'] : positionals, options, json, yes };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs one command on the database at `url`. Returns whether it went well. */
export async function run(request: Request, url: string, terminal: Terminal): Promise<boolean> {
  if (request.words.join(' ') === 'migrate') return show(await migrateNow(url), request, terminal);
  const [command, positional] = commandOf(request);
  const database = connectDatabase({ url, poolSize: 2, applicationName: 'parley-admin' });
  try {
    const input: Input = { database, options: request.options, positional };
    if (command.confirm && !request.yes && !request.json)
      await requireConsent(await command.confirm(input), terminal);
    return show(await command.run(input), request, terminal);
  } finally {
    await database.close();
  }
}

export function help(): string {
  const rows = [
    ...Object.values(commands),
    { usage: 'migrate', doc: 'Bring the database’s schema up to date.' },
  ].map(({ usage, doc }) => `  ${usage}\n      ${doc}`);
  return [
    'npm run admin -- COMMAND',
    '',
    ...rows,
    '',
    '  --json prints one JSON object and asks nothing; --yes asks nothing.',
    '  The database is DATABASE_URL, else the embedded one under DATA_DIR.',
  ].join('\n');
}

function commandOf({ words, options }: Request): [Command, string | undefined] {
  const name = words.slice(0, 2).join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command '${words.join(' ')}'.`);
  if (words.length > 3) throw new UsageError(`'${words.slice(3).join(' ')}' is one word too many.`);
  for (const option of Object.keys(options))
    if (!command.options.includes(option))
      throw new UsageError(`--${option} does not go with ${name}.`);
  return [command, words[2]];
}

async function migrateNow(url: string): Promise<Answer> {
  const { applied } = await migrate(url);
  const note = applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.';
  return { json: { applied }, rows: [], note };
}

async function requireConsent(question: string, { stdin, print }: Terminal): Promise<void> {
  print(`${question} [y/N]`);
  const lines = createInterface({ input: stdin });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new UsageError('Nothing was changed. Answer y, or add --yes.');
}

function show(
  { json, rows, note, failed = false }: Answer,
  request: Request,
  { print }: Terminal,
): boolean {
  if (request.json) print(JSON.stringify(json));
  else {
    if (rows.length > 0 || note === undefined) print(table(rows));
    if (note !== undefined) print(note);
  }
  return !failed;
}
