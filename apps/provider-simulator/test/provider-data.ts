// The provider's schemas and recordings live outside of the project, in the folder that PROVIDER_DATA names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const providerData = process.env['PROVIDER_DATA'];

/** A suite that needs the provider's data; without it, one loud line says that it did not run. */
export function describeWithProviderData(title: string, suite: (folder: string) => void): void {
  if (providerData !== undefined && providerData !== '') {
    describe(title, () => suite(providerData));
    return;
  }
  console.warn(`\n*** SKIPPED: "${title}" needs PROVIDER_DATA, which names no folder ***\n`);
}

export type RecordedLine = {
  from: 'client' | 'provider';
  event: { type: string } & Record<string, unknown>;
};

export const recordings = (folder: string): { name: string; lines: RecordedLine[] }[] =>
  readdirSync(join(folder, 'provider-recordings'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      name: name.replace(/\.jsonl$/, ''),
      lines: readFileSync(join(folder, 'provider-recordings', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as RecordedLine),
    }));
