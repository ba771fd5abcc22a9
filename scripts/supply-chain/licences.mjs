// Fails if the apps ship a package whose licence nobody has agreed to. Reads package-lock.json (or
// the file named as argument), to which npm copies the licence of each package: needs no network.
import { allowedLicences, licenceExceptions } from './exceptions.mjs';
import { allApps, nameOf, readLock, shipped } from './shipped.mjs';

const packages = readLock(process.argv[2]);
const paths = [...shipped(packages, allApps(packages)).keys()];
const refused = paths.filter((path) => !isAllowed(packages[path].license));
const names = new Set(refused.map((path) => nameOf(packages, path)));

const problems = [
  ...refused
    .filter((path) => !Object.hasOwn(licenceExceptions, nameOf(packages, path)))
    .map((path) => `${path} has the licence ${packages[path].license ?? '(none is named)'}`),
  ...Object.keys(licenceExceptions)
    .filter((name) => !names.has(name))
    .map((name) => `${name} needs no exception any more`),
];
for (const problem of problems) console.error(`licences: ${problem}`);
if (problems.length > 0) {
  console.error('licences: see scripts/supply-chain/exceptions.mjs');
  process.exit(1);
}
console.log(`licences: ${paths.length} packages, ${names.size} exceptions`);

/** "A OR B" leaves the choice to us; "A AND B" does not. */
function isAllowed(license = '') {
  const alternatives = license.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((each) =>
    each.split(' AND ').every((one) => allowedLicences.includes(one)),
  );
}
