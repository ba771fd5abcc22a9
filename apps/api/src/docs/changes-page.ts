import { Marked } from 'marked';
import { escapeHtml, page } from './page.js';

/** CHANGELOG.md as a page. HTML inside it is shown, not run, and only links to the web or within this server stay links. */
export function changesPage(markdown: string): string {
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return /^(https?:\/\/|\/(?!\/))/.test(href)
          ? `<a href="${escapeHtml(href)}">${text}</a>`
          : text;
      },
    },
  });
  return page('What’s New', marked.parse(markdown, { async: false }));
}
