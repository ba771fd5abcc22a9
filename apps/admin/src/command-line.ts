import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connectDatabase } from '@parley/database';
import type { Answer, Command, Deployment } from './command.js';
import { commands } from './commands.js';
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

/** Reports mistakes in the command before a database is opened or created. */
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
        role: { type: 'string' },
        'audit-arguments': { type: 'string' },
        export: { type: 'string' },
        quota: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const { json = false, yes = false, help, quota, ...rest } = values;
    const options = { ...rest, ...(quota && { quota: quota.join(',') }) };
    const request = { words: help ? ['help'] : positionals, options, json, yes };
    if (!wantsHelp(request)) commandOf(request);
    return request;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

export function wantsHelp({ words }: Request): boolean {
  return words.length === 0 || words[0] === 'help';
}

/** Runs one command on a deployment. Returns whether it succeeded. */
export async function run(
  request: Request,
  deployment: Deployment,
  terminal: Terminal,
): Promise<boolean> {
  const [command, positional] = commandOf(request);
  const { url } = deployment;
  const database = connectDatabase({ url, poolSize: 2, applicationName: 'parley-admin' });
  try {
    const readLine = () => firstLine(terminal);
    const input = { ...deployment, database, options: request.options, positional, readLine };
    if (command.confirm && !request.yes && !request.json)
      await requireConsent(await command.confirm(input), terminal);
    return show(await command.run(input), request, terminal);
  } finally {
    await database.close();
  }
}

export function help(): string {
  const rows = Object.values(commands).map(({ usage, doc }) => `  ${usage}\n      ${doc}`);
  return [
    'npm run admin -- COMMAND',
    '',
    ...rows,
    '',
    '  --json prints one JSON object and skips confirmation; --yes skips confirmation.',
    '  The database is DATABASE_URL or, if that is not set, the embedded one under DATA_DIR, with the key stored there.',
  ].join('\n');
}

function commandOf({ words, options }: Request): [Command, string | undefined] {
  const name = words.slice(0, 2).join(' ');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command '${words.join(' ')}'.`);
  const surplus = words.slice(command.positional ? 3 : 2);
  if (surplus.length > 0) throw new UsageError(`Unexpected argument '${surplus.join(' ')}'.`);
  for (const option of Object.keys(options))
    if (!command.options.includes(option))
      throw new UsageError(`--${option} is not an option of ${name}.`);
  return [command, words[2]];
}

async function requireConsent(question: string, { stdin, print }: Terminal): Promise<void> {
  print(`${question} [y/N]`);
  const answer = await firstLine({ stdin });
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new UsageError('Aborted; nothing was changed. Answer y, or add --yes.');
}

async function firstLine({ stdin }: Pick<Terminal, 'stdin'>): Promise<string> {
  const lines = createInterface({ input: stdin });
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
  });
  lines.close();
  return line;
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
