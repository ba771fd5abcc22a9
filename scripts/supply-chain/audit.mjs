// Asks the registry for known vulnerabilities of everything in package-lock.json, and fails on each
// that exceptions.mjs does not explain. A report may be given as a file instead (npm audit --json).
// Without a registry that answers, nothing is known: that is said loudly, and with AUDIT_REQUIRED=true
// it fails.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { advisoryExceptions } from './exceptions.mjs';

const root = resolve(import.meta.dirname, '../..');
const [file] = process.argv.slice(2);
const report = JSON.parse(file ? readFileSync(file, 'utf8') : ask());

if (report.vulnerabilities === undefined) {
  const reason = report.message ?? report.error?.summary ?? 'it sent no report';
  console.error(`${'!'.repeat(78)}
audit: NOTHING WAS CHECKED. The registry did not answer: ${reason}
audit: run npm run audit where it does, before a release.
${'!'.repeat(78)}`);
  process.exit(process.env.AUDIT_REQUIRED === 'true' ? 1 : 0);
}

const advisories = new Map(
  Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((each) => typeof each === 'object')
    .map((each) => [each.url.replace(/^.*\//, ''), each]),
);
const today = new Date().toISOString().slice(0, 10);
const problems = [
  ...[...advisories]
    .filter(
      ([id]) => !(Object.hasOwn(advisoryExceptions, id) && advisoryExceptions[id].until >= today),
    )
    .map(
      ([id, { name, severity, title, range }]) => `${severity}: ${name} ${range}: ${title} (${id})`,
    ),
  ...Object.keys(advisoryExceptions)
    .filter((id) => !advisories.has(id))
    .map((id) => `${id} needs no exception any more`),
];
for (const problem of problems) console.error(`audit: ${problem}`);
if (problems.length > 0) {
  console.error('audit: update the package, or explain it in scripts/supply-chain/exceptions.mjs');
  process.exit(1);
}
console.log(`audit: no vulnerability is known; ${advisories.size} have a reason`);

function ask() {
  // The .npmrc turns audits off for installs; npm reports vulnerabilities with exit code 1.
  const { stdout } = spawnSync('npm', ['audit', '--audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return stdout || '{}';
}
