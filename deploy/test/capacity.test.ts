import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';

const bench = join(import.meta.dirname, '../../scripts/bench');
const plan = readFileSync(join(bench, 'CAPACITY.md'), 'utf8');
const results = readFileSync(join(bench, 'RESULTS.md'), 'utf8');

/** Where each measured figure is in the plan, and in the tables of `npm run bench`. */
const figures: Record<string, [planned: RegExp, measured: RegExp]> = {
  'CPU per frame': [/CPU: (\S+) µs per echoed frame/, /^\| Parley \| (\S+) µs,/m],
  'memory per session': [/memory: (\S+) KiB per idle session/, /^\| Parley \| (\S+) KiB,/m],
  'CPU to create a session': [/to create them: (\S+) ms/, /^\| a session created \| (\S+) ms,/m],
  'CPU to open a session': [/to open them: (\S+) ms/, /^\| gateway \| (\S+) ms \|/m],
  'what a session leaves in Redis': [
    /for a day, (\S+) bytes/,
    /^\| a session that is over.*?\| (\d+) \|/m,
  ],
  'a minute of talk in PostgreSQL': [
    /talk, (\S+) bytes/,
    /^\| a minute of talk \| \d+ \| (\d+) \|/m,
  ],
};

describe('the capacity plan', () => {
  for (const [name, [planned, measured]] of Object.entries(figures))
    it(`has the figure of the last benchmark for ${name}`, () => {
      const figure = measured.exec(results)?.[1];
      expect(figure).to.be.a('string');
      expect(planned.exec(plan)?.[1]?.replaceAll(',', '')).to.equal(figure);
    });
});
