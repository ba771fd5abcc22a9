import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs } from '@parley/testkit';

const root = join(import.meta.dirname, '../..');
const prometheus = join(root, 'deploy/prometheus');
const promtool = (...args: string[]) => promisify(execFile)('promtool', args);

describe('Prometheus', () => {
  needs('promtool');
  const below = (folder: string) =>
    readdirSync(join(prometheus, folder)).map((file) => join(prometheus, folder, file));

  it('accepts its configuration and the rules', async () => {
    await promtool('check', 'config', '--syntax-only', join(prometheus, 'prometheus.yml'));
    const { stdout } = await promtool('check', 'rules', ...below('rules'));
    expect(stdout).to.match(/SUCCESS: \d+ rules found/);
  });

  it('alerts when it should', async () => {
    await promtool('test', 'rules', ...below('tests'));
  });

  it('has a test for every alert', () => {
    const tests = below('tests').map(read).join('\n');
    for (const [, alert] of read(join(prometheus, 'rules/parley.yml')).matchAll(/alert: (\w+)/g))
      expect(tests).to.include(`alertname: ${alert!}`);
  });
});

describe('alerts and dashboards', () => {
  it('ask only for metrics that there are', () => {
    const known = new Set(sources().flatMap((file) => metricsIn(read(file))));
    const asked = ['deploy/prometheus/rules/parley.yml', 'deploy/grafana/dashboards/parley.json']
      .flatMap((file) => metricsIn(read(join(root, file))))
      .map((name) => name.replace(/_(bucket|count|sum)$/, ''));
    expect(asked).to.not.be.empty;
    for (const name of asked)
      // Two counters are named by a template.
      expect(known.has(name) || /^parley_realtime_(frames|bytes)_total$/.test(name), name).to.equal(
        true,
      );
  });
});

function sources(): string[] {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group), { recursive: true, encoding: 'utf8' })
      .filter((path) => /^[^/]+\/src\/.*\.ts$/.test(path))
      .map((path) => join(root, group, path)),
  );
}

function metricsIn(text: string): string[] {
  return text.match(/parley_[a-z_]+/g) ?? [];
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
