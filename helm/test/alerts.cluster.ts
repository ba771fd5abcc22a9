import { execFile } from 'node:child_process';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs, programPath, temporaryFolder } from '@parley/testkit';
import { stringify } from 'yaml';
import { manifests, root, valueSets } from './chart.js';

type Rule = { record?: string; alert?: string; expr: string; labels: Record<string, string> };
type Spec = { groups: { name: string; rules: Rule[] }[] };

/** Valid in Kubernetes, and a number in YAML unless it is quoted. */
const namespaces = ['voice', '2026'] as const;
const { file } = valueSets.find(({ name }) => name === 'production')!;

describe('the alerts and the dashboard of a release', () => {
  needs('helm', 'promtool');
  const specs = new Map<string, Spec>();
  let dashboard: string;

  before(async () => {
    for (const namespace of namespaces) {
      const rendered = await manifests({ files: [file], namespace });
      const rules = rendered.find(({ kind }) => kind === 'PrometheusRule')!;
      specs.set(namespace, rules.spec as Spec);
      const { data } = rendered.find(
        ({ metadata }) => metadata.name === 'parley-dashboard',
      ) as unknown as { data: Record<string, string> };
      dashboard = data['parley.json']!;
    }
  });

  for (const namespace of namespaces)
    it(`only ask for the series of the namespace ${namespace}, and name it`, () => {
      const rules = specs.get(namespace)!.groups.flatMap((group) => group.rules);
      expect(rules).to.have.length.above(30);
      for (const { expr, labels } of rules) {
        const asked = selectors(expr);
        expect(asked, expr).to.not.be.empty;
        for (const selector of asked)
          expect(selector, expr).to.include(`{namespace="${namespace}"`);
        expect(labels).to.include({ namespace });
      }
    });

  it('show the namespaces that were chosen', () => {
    const expressions = [...dashboard.matchAll(/"expr": "(.*)",$/gm)].map(([, expr]) => expr!);
    expect(expressions).to.have.length.above(30);
    for (const selector of expressions.flatMap(selectors))
      expect(selector).to.include('{namespace=~\\"$namespace\\"');
  });

  it('tell which of two releases is down, however well the other is', async () => {
    const folder = await temporaryFolder();
    for (const [namespace, spec] of specs)
      await writeFile(join(folder, `${namespace}.yml`), stringify(spec));
    const test = join(folder, 'two-releases.yml');
    await copyFile(join(root, 'helm/test/two-releases.yml'), test);
    const { stdout } = await promisify(execFile)(programPath('promtool'), ['test', 'rules', test]);
    expect(stdout).to.include('SUCCESS');
  });
});

/** Each metric that an expression asks for, with the start of its labels. */
function selectors(expr: string): string[] {
  return expr.match(/\b(?:up|(?:parley|nodejs|process)[_:][a-z0-9_:]+)\b(?:\{[^,}]*)?/g) ?? [];
}
