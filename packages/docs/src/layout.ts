import { escapeHtml } from './html.js';
import type { Heading } from './markdown.js';

export type NavSection = {
  readonly title: string;
  readonly pages: readonly { readonly path: string; readonly label: string }[];
};

export type Page = {
  readonly path: string;
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  /** Script files beyond those of every page. */
  readonly scripts?: readonly string[];
};

/**
 * A complete page: its content with the navigation, the list of its sections and its neighbours.
 */
export function layout(page: Page, nav: readonly NavSection[], version: string): string {
  const scripts = ['docs.js', ...(page.scripts ?? [])].map(
    (file) => `<script type="module" src="/docs/assets/${file}"></script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Parley</title>
<meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="preload" href="/docs/assets/inter.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/theme.js"></script>
${scripts.join('\n')}
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button type="button" class="menu" aria-controls="sidebar" aria-expanded="false">Menu</button>
<a class="brand" href="/docs">Parley <span>Docs</span></a>
<nav class="shortcuts" aria-label="Shortcuts"><a href="/docs/api">API reference</a><a href="/docs/whats-new">What’s new</a></nav>
<span class="version">${escapeHtml(version)}</span>
<button type="button" class="theme" aria-label="Switch between light and dark">◐</button>
</header>
<div class="frame">
<div id="sidebar">
<div class="search" role="search"><input type="search" placeholder="Search" aria-label="Search the docs" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd><ul class="found" hidden></ul></div>
<nav aria-label="Pages">${nav.map((section) => navSection(section, page.path)).join('')}</nav>
</div>
<main id="content">
<article>
${page.html}</article>
${neighbours(page.path, nav)}
</main>
${contents(page.headings)}
</div>
</body>
</html>
`;
}

function navSection({ title, pages }: NavSection, current: string): string {
  const links = pages.map(({ path, label }) => {
    const here = path === current ? ' aria-current="page"' : '';
    return `<li><a href="${path}"${here}>${escapeHtml(label)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>${links.join('\n')}</ul>\n`;
}

function contents(headings: readonly Heading[]): string {
  const inside = headings.filter(({ level }) => level === 2);
  if (inside.length < 2) return '';
  const links = inside.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links.join('\n')}</ul></aside>`;
}

function neighbours(path: string, nav: readonly NavSection[]): string {
  const all = nav.flatMap(({ pages }) => pages);
  const at = all.findIndex((page) => page.path === path);
  const link = (page: NavSection['pages'][number] | undefined, rel: string, name: string) =>
    page
      ? `<a rel="${rel}" href="${page.path}"><small>${name}</small>${escapeHtml(page.label)}</a>`
      : '';
  const before = at > 0 ? all[at - 1] : undefined;
  return `<nav class="neighbours" aria-label="Next and previous page">${link(before, 'prev', 'Previous')}${link(all[at + 1], 'next', 'Next')}</nav>`;
}
