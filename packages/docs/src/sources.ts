import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown, type Article, type LinkTarget } from './markdown.js';
import { pathOf, sections, type PageName } from './pages.js';

/** All except those that are generated from tables instead of Markdown. */
export type GuideName = Exclude<PageName, 'api' | 'realtime'>;

const guides = join(import.meta.dirname, '../pages');

/** Documents at the root of the project, and of its image, that are pages, too. */
const documents: ReadonlyMap<GuideName, string> = new Map([
  ['whats-new', join(import.meta.dirname, '../../../CHANGELOG.md')],
  ['security-model', join(import.meta.dirname, '../../../SECURITY.md')],
  ['deployment', join(import.meta.dirname, '../../../deploy/README.md')],
]);

const paths: ReadonlyMap<string, string> = new Map(
  sections
    .flatMap(({ pages }) => Object.keys(pages) as PageName[])
    .map((name) => [name, pathOf(name)]),
);

/** The pages that links in the repository's own documents lead to, by the end of their path. */
const pageOfDocument: ReadonlyMap<string, string> = new Map([
  ['CHANGELOG.md', '/docs/whats-new'],
  ['SECURITY.md', '/docs/security-model'],
  ['deploy/README.md', '/docs/deployment'],
]);

/** A Markdown file and its content, by the name of its page. */
export function readGuide(name: GuideName): Article {
  const file = documents.get(name) ?? join(guides, `${name}.md`);
  return renderMarkdown(readFileSync(file, 'utf8'), linkTarget);
}

/**
 * Links between Markdown files become links between pages; a link to something that is not served
 * is removed.
 */
export const linkTarget: LinkTarget = (href) => {
  if (/^https?:\/\//.test(href)) return isReachable(new URL(href)) ? href : undefined;
  if (/^\/(?!\/)/.test(href) || href.startsWith('#')) return href;
  const [path = '', anchor] = href.split('#', 2);
  const page = pageOf(path.replaceAll('../', '').replace('packages/docs/pages/', ''));
  if (page === undefined) return undefined;
  return anchor === undefined ? page : `${page}#${anchor}`;
};

/** The name of a server in an example, such as http://collector:4318, is not a link. */
const isReachable = ({ hostname }: URL) => hostname.includes('.') || hostname === 'localhost';

function pageOf(path: string): string | undefined {
  return paths.get(path.replace(/\.md$/, '')) ?? pageOfDocument.get(path);
}
