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
  /** The file at a path below /docs, which starts with a slash. */
  file(path: string): DocsFile | undefined;
  /** The page for a path that does not exist. */
  notFound(): string;
};

const assets = join(import.meta.dirname, '../assets');
const scripts = ['theme.js', 'docs.js', 'try.js'];

/**
 * The whole site from the guides, the contract and the catalogues. Each file is generated on first
 * use.
 */
export function docsSite({ version, contract }: SiteOptions): DocsSite {
  const nav: NavSection[] = sections.map(({ title, pages }) => ({
    title,
    pages: entriesOf(pages).map(([name, label]) => ({ path: pathOf(name), label })),
  }));
  const pages = sections
    .flatMap((section) => entriesOf(section.pages))
    .map(([name]) => ({ path: pathOf(name), page: once(() => pageOf(name, contract)) }));
  const search = () => JSON.stringify(searchEntries(pages.map(({ page }) => page())));
  const operations = () => JSON.stringify(tryableOperations(contract));
  const files = new Map<string, () => DocsFile>([
    ...pages.map(({ path, page }): [string, () => DocsFile] => [
      path.slice('/docs'.length) || '/',
      once(() => ({ type: 'html', body: layout(page(), nav, version) })),
    ]),
    ...assetFiles(),
    ['/search.json', once(() => ({ type: 'json', body: search() }))],
    ['/operations.json', once(() => ({ type: 'json', body: operations() }))],
  ]);
  return { file: (path) => files.get(path)?.(), notFound: () => layout(lost, nav, version) };
}

type SiteOptions = { readonly version: string; readonly contract: OpenApiDocument };

const lost: Page = {
  path: '',
  title: 'Not found',
  summary: '',
  html: '<h1>There is no such page</h1><p>Look for it in the list of pages, or start at <a href="/docs">the first one</a>.</p>',
  headings: [],
};

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const entriesOf = (pages: object) => Object.entries(pages) as [PageName, string][];

function pageOf(name: PageName, contract: OpenApiDocument): Page {
  if (name === 'api') return referencePage(contract);
  if (name === 'realtime') return realtimePage();
  return { path: pathOf(name), ...readGuide(name) };
}

function assetFiles(): [string, () => DocsFile][] {
  const inter = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';
  const asset = (
    name: string,
    type: string,
    path = join(assets, name),
  ): [string, () => DocsFile] => [
    `/assets/${name}`,
    once(() => ({ type, body: readFileSync(path) })),
  ];
  return [
    asset('docs.css', 'css'),
    asset('icon.svg', 'svg'),
    asset('inter.woff2', 'woff2', fileURLToPath(import.meta.resolve(inter))),
    ...scripts.map((name) => asset(name, 'js')),
  ];
}

/** The index of the search box: titles and headings. */
function searchEntries(pages: readonly Page[]) {
  return pages.flatMap(({ path, title, headings }) => [
    { path, title, page: '' },
    ...headings
      .filter(({ level }) => level > 1)
      .map(({ id, text }) => ({ path: `${path}#${id}`, title: text, page: title })),
  ]);
}
