import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needs, programPath } from '@parley/testkit';

const root = join(import.meta.dirname, '../..');
const prometheus = join(root, 'deploy/prometheus');
const promtool = (...args: string[]) => promisify(execFile)(programPath('promtool'), args);

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
    const { stdout } = await promtool('test', 'rules', ...below('tests'));
    expect(stdout).to.include('SUCCESS');
  });

  it('has a test for every alert', () => {
    const tests = below('tests').map(read).join('\n');
    for (const [, alert] of read(join(prometheus, 'rules/parley.yml')).matchAll(/alert: (\w+)/g))
      expect(tests).to.include(`alertname: ${alert!}`);
  });

  it('names for every alert a paragraph that tells what to do', () => {
    const runbook = read(join(root, 'deploy/README.md'));
    const rules = read(join(prometheus, 'rules/parley.yml'));
    const alerts = [...rules.matchAll(/alert: (\w+)/g)].map(([, alert]) => alert!);
    const named = [...rules.matchAll(/runbook: deploy\/README.md#(\w+)/g)].map(([, at]) => at!);
    expect(named).to.deep.equal(alerts.map((alert) => alert.toLowerCase()));
    for (const alert of alerts) expect(runbook).to.match(new RegExp(`^#### ${alert}$`, 'm'));
  });
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}
