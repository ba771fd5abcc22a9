// What is on the heap of a process, by constructor. Node collects the garbage before a snapshot.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, waitFor } from '@parley/testkit';

const folder = await temporaryFolder();
/** Fewer more than before is no growth. */
const notable = 200;
const shown = 12;

/** The file of a new snapshot of a process that was started with `takeSnapshot.env`. */
export async function takeSnapshot(process) {
  const known = new Set(await readdir(folder));
  process.signal('SIGUSR2');
  const added = async () => (await readdir(folder)).find((name) => !known.has(name));
  const file = join(folder, await waitFor(added, { what: 'a snapshot', timeoutMs: 60_000 }));
  let size = -1;
  const isWhole = async () => {
    const text = size === (await stat(file)).size && (await readFile(file, 'utf8'));
    ({ size } = await stat(file));
    return text && text.trimEnd().endsWith('}');
  };
  await waitFor(isWhole, { what: 'the whole snapshot', timeoutMs: 120_000 });
  return file;
}
takeSnapshot.env = { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}` };

/** Constructor → how many objects it has made that are still there. */
export async function countObjects(file) {
  const { snapshot, nodes, strings } = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, name] = [fields.indexOf('type'), fields.indexOf('name')];
  const object = types[type].indexOf('object');
  const counts = new Map();
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at + type] !== object) continue;
    const constructor = strings[nodes[at + name]];
    counts.set(constructor, (counts.get(constructor) ?? 0) + 1);
  }
  return counts;
}

/** The constructors with notably more objects than before, most first. */
export function growth(before, after) {
  const more = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0), count]);
  const grown = more.filter(([, added]) => added > notable).sort((a, b) => b[1] - a[1]);
  const lines = grown
    .slice(0, shown)
    .map(([name, added, count]) => `${name}: +${added}, now ${count}`);
  return lines.length > 0 ? lines : ['nothing notable'];
}
