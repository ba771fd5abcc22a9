import { redisConflicts } from './redis-conflicts.js';
import type { AppName, Setting, ValueOf } from './setting.js';
import { accepts, parseSetting } from './setting-value.js';
import { settings, type SettingName, type Settings } from './settings.js';
import { StartupError } from './startup-error.js';
import { unknownSettings } from './unknown-settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

type ReadBy<App extends AppName> = {
  [Name in SettingName]: App extends Settings[Name]['apps'][number] ? Name : never;
}[SettingName];

type IsSet<App extends AppName, Row extends Setting> = Row extends { default: unknown }
  ? true
  : Row extends { requiredIn: readonly (infer Required)[] }
    ? App extends Required
      ? true
      : false
    : false;

/** The settings of one app, by the names of their variables. */
export type ConfigOf<App extends AppName> = {
  readonly [Name in ReadBy<App>]:
    | ValueOf<Settings[Name]>
    | (IsSet<App, Settings[Name]> extends true ? never : undefined);
};

export type ConfigResult<App extends AppName> =
  | {
      readonly ok: true;
      readonly config: Readonly<ConfigOf<App>>;
      readonly warnings: readonly string[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads the whole configuration of an app and reports every problem together. */
export function readConfig<App extends AppName>(app: App, env: Environment): ConfigResult<App> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, row] of rowsOf(app)) {
    const raw = Object.hasOwn(env, name) ? env[name] : undefined;
    if (raw === undefined || raw === '') {
      if (row.requiredIn?.includes(app)) problems.push(`${name} is missing; ${accepted(row)}`);
      values[name] = row.default;
      continue;
    }
    const parsed = parseSetting(row, raw);
    if (parsed.ok) values[name] = parsed.value;
    else problems.push(`${row.secret ? name : shown(name, raw)} ${parsed.wrong}; ${accepted(row)}`);
    if (parsed.ok)
      for (const needed of missing(row, env))
        problems.push(`${name} does nothing without ${needed}; set both or neither`);
  }
  problems.push(...redisConflicts(values));
  if (problems.length > 0) return { ok: false, problems };
  const config = deepFreeze(values) as ConfigOf<App>;
  return { ok: true, config, warnings: unknownSettings(env) };
}

/** The same for a main program: invalid settings are a reason not to start. */
export function requireConfig<App extends AppName>(
  app: App,
  env: Environment,
): Extract<ConfigResult<App>, { ok: true }> {
  const result = readConfig(app, env);
  if (!result.ok) throw new StartupError(result.problems.join('\n'));
  return result;
}

function missing({ needs = [] }: Setting, env: Environment): string[] {
  return [needs].flat().filter((name) => !(Object.hasOwn(env, name) ? env[name] : ''));
}

function rowsOf(app: AppName): [string, Setting][] {
  const rows: [string, Setting][] = Object.entries(settings);
  return rows.filter(([, row]) => row.apps.includes(app));
}

function accepted(row: Setting): string {
  return `accepted: ${accepts(row)}`;
}

/** One short line, whatever the value contains. */
function shown(name: string, raw: string): string {
  return `${name}=${JSON.stringify(raw.length > 60 ? `${raw.slice(0, 60)}…` : raw)}`;
}

function deepFreeze(values: Record<string, unknown>): Readonly<Record<string, unknown>> {
  for (const value of Object.values(values)) Object.freeze(value);
  return Object.freeze(values);
}
