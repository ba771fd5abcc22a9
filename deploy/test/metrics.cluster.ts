import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { appNames } from '@parley/service-kit';
import {
  appProgram,
  migratedDatabase,
  runNode,
  testRedis,
  type MigratedDatabase,
} from '@parley/testkit';

const root = join(import.meta.dirname, '../..');
const apps = ['api', 'realtime-gateway', 'worker'] as const;

/** Everything that a label may be called. Values of each come from a table of ours, or are a model's name; none is an id. */
const labels = [
  'app',
  'close',
  'code',
  'ending',
  'from',
  'job',
  'kind',
  'le',
  'limit',
  'method',
  'model',
  'outcome',
  'quota',
  'reason',
  'route',
  'store',
  'verdict',
];

type Family = { help: string; type: string; apps: Set<string> };

describe('the metrics of the running apps', () => {
  let database: MigratedDatabase;
  let texts: Map<string, string>;
  const families = new Map<string, Family>();

  before(async () => {
    database = await migratedDatabase();
    const env = {
      ...{ PORT: '0', INTERNAL_PORT: '0', HOST: '127.0.0.1', MIGRATE_ON_START: 'false' },
      DATABASE_URL: database.url,
      REDIS_URL: (await testRedis()).url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
    const started = apps.map(async (app) => {
      const program = runNode([appProgram(app)], { env });
      const ready = JSON.parse(await program.line(/"msg":"ready"/)) as { internalPort: number };
      const answer = await fetch(`http://127.0.0.1:${ready.internalPort}/metrics`);
      const text = await answer.text();
      await program.stop();
      return [app, text] as const;
    });
    texts = new Map(await Promise.all(started));
    for (const [app, text] of texts) collect(families, app, text);
  });
  after(() => database.drop());

  it('each say what they are', () => {
    expect([...families.keys()].length).to.be.greaterThan(30);
    for (const [name, { help }] of families) expect(help, name).to.match(/^[A-Z].{10,}\.$/);
  });

  it('are named by their unit', () => {
    for (const [name, { type }] of families)
      if (type === 'counter') expect(name).to.match(/_total$/);
      else if (type === 'histogram') expect(name).to.match(/_seconds$/);
      else expect(name).to.not.match(/_total$/);
  });

  it('have labels that are bounded, and no ids in them', () => {
    const lines = [...texts.values()].join('\n').match(/^parley_\w+\{.*\} /gm) ?? [];
    expect(lines.length).to.be.greaterThan(100);
    for (const line of lines)
      for (const [, label = '', value = ''] of line.matchAll(/(\w+)="([^"]*)"/g)) {
        expect(labels, line).to.include(label);
        expect(value, line).to.not.match(/[0-9a-f]{8}-|[A-Za-z0-9_-]{30,}/);
        if (label === 'app') expect(appNames).to.include(value);
      }
  });

  for (const file of [
    'deploy/prometheus/rules/parley.yml',
    'deploy/prometheus/tests/parley.yml',
    'deploy/prometheus/tests/days.yml',
    'deploy/grafana/dashboards/parley.json',
  ])
    it(`are all that ${file} asks for`, () => {
      const asked = new Set(read(file).match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g));
      expect(asked).to.not.be.empty;
      const samples = [...texts.values()].join('\n');
      for (const name of asked)
        expect(samples, `${name}, which ${file} asks for`).to.match(
          new RegExp(`^(# TYPE )?${name.replace(/_(bucket|count|sum)$/, '')}[ {_]`, 'm'),
        );
    });

  it('are the table in deploy/README.md; npm run goldens writes it', () => {
    const file = join(root, 'deploy/README.md');
    const place = /(<!-- metrics: [^\n]*-->\n)[^]*?(<!-- end of metrics -->)/;
    const before = readFileSync(file, 'utf8');
    expect(before).to.match(place);
    const after = before.replace(
      place,
      (_, start: string, end: string) => `${start}\n${table(families)}\n\n${end}`,
    );
    if (process.env['UPDATE_GOLDENS'] === 'true') writeFileSync(file, after);
    else expect(after).to.equal(before);
  });
});

function collect(families: Map<string, Family>, app: string, text: string): void {
  for (const [, name = '', help = ''] of text.matchAll(/^# HELP (parley_\w+) (.*)$/gm)) {
    const type = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1] ?? '';
    const family = families.get(name) ?? { help, type, apps: new Set() };
    family.apps.add(app);
    families.set(name, family);
  }
}

function table(families: Map<string, Family>): string {
  const rows = [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { help, type, apps: of }]) => {
      const where = of.size === apps.length ? 'all' : [...of].sort().join(', ');
      return `| \`${name}\` | ${type} | ${where} | ${help} |`;
    });
  return ['| metric | type | app | description |', '|---|---|---|---|', ...rows].join('\n');
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
