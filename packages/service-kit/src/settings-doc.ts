import { appNames, type AppName, type Setting } from './setting.js';
import { settings } from './settings.js';

/** The README's table of settings. */
export function settingsMarkdown(): string {
  const rows: [string, Setting][] = Object.entries(settings);
  return [
    '| variable | default | description | read by |',
    '|---|---|---|---|',
    ...rows.map(
      ([name, row]) => `| \`${name}\` | ${fallback(row)} | ${about(row)} | ${readers(row)} |`,
    ),
    '',
  ].join('\n');
}

function fallback(row: Setting): string {
  if (row.requiredIn) {
    const optional = row.apps.filter((app) => !row.requiredIn?.includes(app));
    return `required; in ${listed(optional)}: ${row.unset ?? 'none'}`;
  }
  const value = row.default?.toString() ?? '';
  return value === '' ? (row.unset ?? 'none') : `\`${value}\``;
}

function about(row: Setting): string {
  const values = row.kind === 'enum' || row.kind === 'list' ? row.values : undefined;
  const choice = values
    ? ` ${row.kind === 'enum' ? 'One' : 'Any'} of ${values.map(code).join(', ')}.`
    : '';
  return `${row.doc}${choice}`.replaceAll('|', '\\|');
}

function readers({ apps }: Setting): string {
  const missing = appNames.filter((app) => !apps.includes(app));
  return missing.length === 0 ? 'all' : listed(apps);
}

function listed(apps: readonly AppName[]): string {
  return appNames.filter((app) => apps.includes(app)).join(', ');
}

function code(value: string): string {
  return `\`${value}\``;
}
