import { existsSync } from 'node:fs';
import Mocha, { describe } from 'mocha';
import { findProgram, toolsFolder } from './programs.js';

export type Need = {
  readonly met: () => boolean;
  /** Completes "needs ". */
  readonly what: string;
  /** Cannot simply be installed, so its absence does not fail a run with CI=true. */
  readonly optional?: true;
};

/** What suites may need besides Node. `.ci/tools` installs everything that is not optional. */
const NEEDS = {
  'redis-server': program('redis-server'),
  postgres: program('postgres'),
  chromium: program('chromium'),
  haproxy: program('haproxy'),
  openssl: program('openssl'),
  bash: program('bash'),
  curl: program('curl'),
  jq: program('jq'),
  promtool: program('promtool'),
  moto_server: program('moto_server'),
  schemathesis: program('schemathesis'),
  'openapi-python-client': program('openapi-python-client'),
  'openapi-typescript': program('openapi-typescript'),
  spectral: program('spectral'),
  'asyncapi-parser': {
    met: () => existsSync(`${toolsFolder()}/contract/npm/node_modules/@asyncapi/parser`),
    what: 'the parser of AsyncAPI, which is not installed',
  },
  helm: program('helm'),
  'compose-config': program('compose-config'),
  'kubernetes-schemas': {
    met: () => existsSync(`${toolsFolder()}/schemas`),
    what: 'the schemas of Kubernetes, which are not installed',
  },
  'python-clients': {
    met: () => existsSync(`${toolsFolder()}/contract/clients/bin/python`),
    what: 'realtime clients in Python, which are not installed',
  },
  recordings: {
    met: () => (process.env['PROVIDER_DATA'] ?? '') !== '',
    what: 'recorded provider traffic in the folder that PROVIDER_DATA names',
    optional: true,
  },
  root: {
    met: () => process.getuid?.() === 0,
    what: 'root, to become other users',
    optional: true,
  },
  linux: {
    met: () => process.platform === 'linux',
    what: 'Linux, to read the memory of a process from /proc',
    optional: true,
  },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof NEEDS;

/**
 * The first statement of a describe block: runs the suite only if everything it needs is available.
 * Otherwise, the whole suite is pending, including its hooks, and a loud line says why; with
 * CI=true, an extra test fails.
 */
export function needs(...needed: (NeedName | Need)[]): void {
  const missing = needed
    .map((need): Need => (typeof need === 'string' ? NEEDS[need] : need))
    .filter(({ met }) => !met());
  if (missing.length > 0) skipEnclosingSuite(missing);
}

/** What can be installed but is missing. */
export function notInstalled(): Need[] {
  return Object.values<Need>(NEEDS).filter(({ met, optional }) => optional !== true && !met());
}

function skipEnclosingSuite(missing: Need[]): void {
  // Mocha only passes a suite to the function of a describe block. This one stays empty and never
  // runs.
  describe('', function () {
    const suite = this.parent!;
    if (hasHooks(suite)) throw new Error(`needs() comes first in "${suite.fullTitle()}"`);
    suite.pending = true;
    const sentence = `"${suite.fullTitle()}" needs ${missing.map(({ what }) => what).join(', and ')}`;
    if (process.env['CI'] === 'true' && missing.some(({ optional }) => optional !== true))
      suite.parent!.addTest(new Mocha.Test(sentence, () => Promise.reject(new Error(sentence))));
    else console.warn(`\n*** SKIPPED: ${sentence} ***\n`);
  });
}

/** A pending suite accepts no new hooks, but keeps those that it has. */
function hasHooks(suite: Mocha.Suite): boolean {
  const kinds = ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll'] as const;
  const hooks = suite as unknown as Record<(typeof kinds)[number], unknown[]>;
  return kinds.some((kind) => hooks[kind].length > 0);
}

function program(name: string): Need {
  return {
    met: () => findProgram(name) !== undefined,
    what: `${name}, which is not installed`,
  };
}
