import { expect } from 'chai';
import { renderMarkdown } from '#src/markdown.js';
import { linkTarget } from '#src/sources.js';

const render = (markdown: string) => renderMarkdown(markdown, linkTarget);

describe('a page of Markdown', () => {
  it('shows HTML that is in it and runs none', () => {
    const { html } = render(
      '# New\n\n- a `b<c` <script>alert(1)</script>\n- [x](javascript:alert(1)) [y](https://a.example/?a=1&b=2) [z](//evil.example)\n\n<img src=x onerror=y>\n\n![i](x)\n\n<!-- a note -->',
    );
    expect(html).to.include('<code>b&lt;c</code>');
    expect(html).to.include('href="https://a.example/?a=1&amp;b=2"');
    expect(html).not.to.match(/<script|<img|javascript:|href="\/\/evil|a note/);
  });

  it('gives headings the ids that forges give them, each once', () => {
    const { headings, html } = render('# T\n\n## A `code` & more!\n\n## Same\n\n## Same\n');
    expect(headings.map(({ id }) => id)).to.deep.equal(['t', 'a-code--more', 'same', 'same-1']);
    expect(html).to.include('href="#same-1"');
  });

  it('knows its title and its first paragraph', () => {
    expect(render('# The title\n\nWhat it *is* about.\n\nMore.')).to.include({
      title: 'The title',
      summary: 'What it is about.',
    });
  });

  it('leads from one Markdown file to the page of another', () => {
    expect(linkTarget('http-tools.md#secrets')).to.equal('/docs/http-tools#secrets');
    expect(linkTarget('index.md')).to.equal('/docs');
    expect(linkTarget('../../../SECURITY.md')).to.equal('/docs/security-model');
    expect(linkTarget('deploy/README.md#quotas')).to.equal('/docs/deployment#quotas');
    expect(linkTarget('haproxy.cfg')).to.equal(undefined);
  });

  it('names the file that a reader should save a snippet as', () => {
    const { html } = render('# T\n\n```js file=talk.mjs\nconsole.log("<b>");\n```\n');
    expect(html).to.include('<figcaption>talk.mjs</figcaption>');
    expect(html).to.include('console.log(&quot;&lt;b&gt;&quot;);');
  });
});
