import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenApiDocument } from '@parley/protocol';
import { layout, type NavSection, type Page } from './layout.js';
import { pathOf, sections, type PageName } from './pages.js';
import { realtimePage } from './realtime-page.js';
import { referencePage } from './reference-page.js';
import { readGuide } from './sources.js';
import { tryableOperations } from './tryable.js';

export type DocsFile = { readonly type: string; readonly body: string | Buffer };

export type DocsSite = {
  /** What is at a path below /docs, which starts with a slash. */
  file(path: string): DocsFile | undefined;
  /** The page for a path where nothing is. */
  notFound(): string;
};

const assets = join(import.meta.dirname, '../assets');
const scripts = ['theme.js', 'docs.js', 'try.js'];

/** The whole site from the guides, the contract and the catalogues. It is made when somebody first asks for it. */
export function docsSite(options: { version: string; contract: OpenApiDocument }): DocsSite {
  let made: ReturnType<typeof makeSite> | undefined;
  const site = () => (made ??= makeSite(options));
  return { file: (path) => site().files.get(path), notFound: () => site().notFound };
}

function makeSite({ version, contract }: { version: string; contract: OpenApiDocument }) {
  const nav: NavSection[] = sections.map(({ title, pages }) => ({
    title,
    pages: entriesOf(pages).map(([name, label]) => ({ path: pathOf(name), label })),
  }));
  const all = sections
    .flatMap(({ pages }) => entriesOf(pages))
    .map(([name]) => pageOf(name, contract));
  const html = all.map((page): [string, DocsFile] => [
    page.path.slice('/docs'.length) || '/',
    { type: 'html', body: layout(page, nav, version) },
  ]);
  const lost = {
    path: '',
    title: 'Not found',
    summary: '',
    html: '<h1>There is no such page</h1><p>Look for it in the list of pages, or start at <a href="/docs">the first one</a>.</p>',
    headings: [],
  };
  const files = new Map<string, DocsFile>([
    ...html,
    ...assetFiles(),
    ['/search.json', { type: 'json', body: JSON.stringify(searchEntries(all)) }],
    ['/operations.json', { type: 'json', body: JSON.stringify(tryableOperations(contract)) }],
  ]);
  return { files, notFound: layout(lost, nav, version) };
}

const entriesOf = (pages: object) => Object.entries(pages) as [PageName, string][];

function pageOf(name: PageName, contract: OpenApiDocument): Page {
  if (name === 'api') return referencePage(contract);
  if (name === 'realtime') return realtimePage();
  return { path: pathOf(name), ...readGuide(name) };
}

function assetFiles(): [string, DocsFile][] {
  const inter = import.meta
    .resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  return [
    ['/assets/docs.css', { type: 'css', body: readFileSync(join(assets, 'docs.css')) }],
    ['/assets/icon.svg', { type: 'svg', body: readFileSync(join(assets, 'icon.svg')) }],
    ['/assets/inter.woff2', { type: 'woff2', body: readFileSync(fileURLToPath(inter)) }],
    ...scripts.map((name): [string, DocsFile] => [
      `/assets/${name}`,
      { type: 'js', body: readFileSync(join(assets, name)) },
    ]),
  ];
}

/** What the search box looks through: titles and headings. */
function searchEntries(pages: readonly Page[]) {
  return pages.flatMap(({ path, title, headings }) => [
    { path, title, page: '' },
    ...headings
      .filter(({ level }) => level > 1)
      .map(({ id, text }) => ({ path: `${path}#${id}`, title: text, page: title })),
  ]);
}
