import { Marked, type Tokens } from 'marked';
import { codeBlock, escapeHtml, heading, table } from './html.js';
import { parseInfo } from './snippet.js';

export type Heading = { readonly level: number; readonly id: string; readonly text: string };

export type Article = {
  readonly title: string;
  /** The first paragraph, without markup. */
  readonly summary: string;
  readonly html: string;
  readonly headings: readonly Heading[];
};

/**
 * Where a link of a Markdown file leads on the site; undefined removes the link and keeps its text.
 */
export type LinkTarget = (href: string) => string | undefined;

/** HTML in the text is escaped; comments are removed. */
export function renderMarkdown(markdown: string, linkTarget: LinkTarget): Article {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
      code({ text, lang = '' }) {
        const { language, attributes } = parseInfo(lang);
        const file = attributes.get('file');
        return codeBlock({ code: text, language, ...(file !== undefined && { file }) });
      },
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const text = plainText(tokens);
        const id = distinct(slugOf(text), taken);
        headings.push({ level: depth, id, text });
        return depth === 1 ? `<h1 id="${id}">${html}</h1>\n` : heading(depth, id, html);
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkTarget(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      table({ header, rows }) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        return table(
          header.map(inline),
          rows.map((row) => ({ cells: row.map(inline) })),
        );
      },
    },
  });
  const tokens = marked.lexer(markdown);
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  const html = marked.parser(tokens);
  const title = headings.find(({ level }) => level === 1)?.text ?? '';
  return { title, summary: plainText(first?.tokens ?? []), html, headings };
}

/** The id of a heading, the same as on GitHub and similar sites. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function distinct(slug: string, taken: Map<string, number>): string {
  const times = taken.get(slug) ?? 0;
  taken.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}

type Inline = { readonly type: string; readonly raw: string };

function plainText(tokens: readonly Inline[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token) return plainText(token.tokens as Inline[]);
      return 'text' in token ? String(token.text) : token.raw;
    })
    .join('');
}
