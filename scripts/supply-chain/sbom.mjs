// Prints what the apps ship as a CycloneDX document, always the same for the same package-lock.json:
//   node scripts/supply-chain/sbom.mjs [WORKSPACE] >sbom.cdx.json
// WORKSPACE, such as apps/api, limits it to one app without optional dependencies, as in its image.
import { createHash } from 'node:crypto';
import { allApps, nameOf, readLock, shipped } from './shipped.mjs';

const [workspace] = process.argv.slice(2);
const packages = readLock();
const needs = workspace
  ? shipped(packages, [workspace], { optional: false })
  : shipped(packages, allApps(packages));
const built = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000);

const components = [...needs.keys()].map((path) => {
  const { version, license, integrity } = packages[path];
  const [, algorithm, digest] = /^(sha\d+)-(\S+)/.exec(integrity ?? '') ?? [];
  return {
    type: 'library',
    'bom-ref': path,
    name: nameOf(packages, path),
    version,
    purl: `pkg:npm/${nameOf(packages, path).replace('@', '%40')}@${version}`,
    ...(license && {
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(digest && {
      hashes: [
        {
          alg: algorithm.replace('sha', 'SHA-'),
          content: Buffer.from(digest, 'base64').toString('hex'),
        },
      ],
    }),
  };
});
const { version, license } = packages[''];
const subject = {
  type: 'application',
  'bom-ref': 'parley',
  name: workspace ? `parley-${workspace.replace(/^.*\//, '')}` : 'parley',
  version,
  licenses: [{ license: { id: license } }],
};
const dependencies = [
  { ref: 'parley', dependsOn: workspace ? [workspace] : allApps(packages) },
  ...[...needs].map(([ref, dependsOn]) => ({ ref, dependsOn })),
];
const document = {
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
};
const serialNumber = `urn:uuid:${uuidOf(JSON.stringify([subject, components]))}`;
const metadata = { timestamp: built.toISOString(), component: subject };
console.log(
  JSON.stringify({ ...document, serialNumber, metadata, components, dependencies }, null, 2),
);

/** Version 8 of RFC 9562: derived in our own way. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
