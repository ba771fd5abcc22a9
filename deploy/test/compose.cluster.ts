import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { drainBudget, readConfig, settings, type AppName, type Setting } from '@parley/service-kit';
import { needs, programPath } from '@parley/testkit';
import { parse } from 'yaml';

const deploy = join(import.meta.dirname, '..');
const file = join(deploy, 'docker-compose.yml');

type Service = {
  build?: { args: { APP: string } };
  image: string;
  environment?: Record<string, string | number>;
  read_only?: boolean;
  cap_drop?: string[];
  command?: string[];
  deploy?: { replicas: number };
  stop_grace_period?: string;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, unknown>;
};
type Composition = { services: Record<string, Service> };

describe('Compose', () => {
  needs('compose-config');
  let services: Composition['services'];

  before(async () => {
    const { stdout } = await promisify(execFile)(programPath('compose-config'), [file], {
      cwd: deploy,
    });
    ({ services } = parse(stdout) as Composition);
  });

  const ours = () =>
    Object.values(services).flatMap((service) =>
      service.build ? [{ ...service, app: service.build.args.APP as AppName }] : [],
    );

  it('runs two api, three gateways and two workers', () => {
    const replicas = ['api', 'realtime-gateway', 'worker'].map(
      (name) => services[name]?.deploy?.replicas,
    );
    expect(replicas).to.deep.equal([2, 3, 2]);
  });

  it('gives every app settings that it starts with', () => {
    for (const { app, environment = {} } of ours()) {
      const entries = Object.entries(environment).map(([name, value]) => [name, String(value)]);
      const result = readConfig(app, Object.fromEntries(entries) as Record<string, string>);
      expect(result, app).to.deep.include({ warnings: [] });
      expect(result, app).to.not.have.property('problems');
    }
  });

  it('gives a setting to all who read it', () => {
    const given = new Set(ours().flatMap(({ environment = {} }) => Object.keys(environment)));
    const rows: [string, Setting][] = Object.entries(settings);
    for (const { app, environment = {} } of ours()) {
      const read = rows.filter(([name, row]) => given.has(name) && row.apps.includes(app));
      expect(environment, app).to.include.keys(read.map(([name]) => name));
    }
  });

  it('takes every right from its own images', () => {
    for (const { app, read_only, cap_drop } of ours())
      expect({ app, read_only, cap_drop }).to.deep.equal({
        app,
        read_only: true,
        cap_drop: ['ALL'],
      });
  });

  it('waits for a drain before it kills', () => {
    for (const { app, environment, stop_grace_period } of ours()) {
      const { DRAIN_LAG_SECONDS = 0, DRAIN_TIMEOUT_SECONDS } = environment ?? {};
      if (DRAIN_TIMEOUT_SECONDS === undefined) continue;
      const { totalMs } = drainBudget({
        DRAIN_LAG_SECONDS: Number(DRAIN_LAG_SECONDS),
        DRAIN_TIMEOUT_SECONDS: Number(DRAIN_TIMEOUT_SECONDS),
      });
      expect(Number.parseInt(stop_grace_period ?? '0', 10) * 1000, app).to.be.at.least(totalMs);
    }
  });

  it('lets a stopping app accept requests until the load balancer has noticed', () => {
    const config = readFileSync(join(deploy, 'haproxy.cfg'), 'utf8');
    const [, inter, fall] = /check inter (\d+)s fall (\d+)/.exec(config) ?? [];
    for (const app of ['api', 'realtime-gateway'])
      expect(Number(services[app]?.environment?.['DRAIN_LAG_SECONDS']), app).to.be.above(
        Number(inter) * Number(fall),
      );
  });

  it('checks the health of whatever something waits for, and of the load balancer', () => {
    const awaited = Object.values(services).flatMap(({ depends_on = {} }) =>
      Object.keys(depends_on),
    );
    for (const name of new Set([...awaited, 'load-balancer']))
      if (name !== 'migration') expect(services[name], name).to.have.property('healthcheck');
  });

  it('asks PostgreSQL by TCP, where it answers only once it is set up', () => {
    expect(services['postgres']?.healthcheck?.test).to.include('--host=127.0.0.1');
  });

  it('lets Redis neither evict nor forget', () => {
    const command = services['redis']?.command?.join(' ');
    expect(command).to.include('--appendonly yes').and.include('--maxmemory-policy noeviction');
  });
});

describe('.dockerignore', () => {
  it('lets in what the Dockerfile copies, and nothing that only a machine of ours has', () => {
    const lines = readFileSync(join(deploy, '../.dockerignore'), 'utf8').split('\n');
    expect(lines).to.include.members(['*', '!apps', '!packages', '**/node_modules', '**/.data']);
    const dockerfile = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(' '),
    );
    for (const path of copied.filter((each) => each !== '.'))
      expect(lines, path).to.include(`!${path}`);
  });
});
