import { editDistance } from './edit-distance.js';
import { settings } from './settings.js';

const names = Object.keys(settings);

/**
 * Prefixes that other programs' variables share with ours: with these, only a near miss is a typo.
 */
const sharedFamilies = new Set([
  'DATA',
  'DATABASE',
  'FILE',
  'INTERNAL',
  'LOG',
  'MAX',
  'OPENAI',
  'PUBLIC',
  'REDIS',
  'S3',
]);
const ownFamilies = new Set(
  names
    .filter((name) => name.includes('_'))
    .map(familyOf)
    .filter((family) => !sharedFamilies.has(family)),
);

/** Read by the project's tests, not by an app. */
const elsewhere = new Set(['PROVIDER_DATA']);

/** One warning per variable that looks like one of our settings but is not. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || !name.includes('_') || Object.hasOwn(settings, name)) return [];
    if (elsewhere.has(name) || isServiceLink(name, value)) return [];
    const nearest = nearestTo(name);
    const isOurs = ownFamilies.has(familyOf(name));
    if (!isOurs && nearest.distance > 2) return [];
    const hint = nearest.distance <= name.length / 3 ? `; did you mean ${nearest.name}?` : '';
    return [`${name} is not a setting of Parley${hint}`];
  });
}

function familyOf(name: string): string {
  return name.split('_', 1).join();
}

/** Kubernetes sets such variables for every Service of a namespace, including ours. */
function isServiceLink(name: string, value: string): boolean {
  return (
    /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/.test(name) ||
    (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value))
  );
}

function nearestTo(name: string): { name: string; distance: number } {
  return names
    .filter((known) => known.includes('_'))
    .map((known) => ({ name: known, distance: editDistance(name, known) }))
    .reduce((best, one) => (one.distance < best.distance ? one : best));
}
