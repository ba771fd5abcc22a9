// The provider's schemas and recordings live outside of the project, in the folder that PROVIDER_DATA names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '@parley/testkit';

const folder = process.env['PROVIDER_DATA'] ?? '';

/** A suite that needs the provider's data. */
export function describeWithProviderData(title: string, suite: (folder: string) => void): void {
  describe(title, () => {
    needs('recordings');
    if (folder === '') it('agrees with the provider’s data');
    else suite(folder);
  });
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
