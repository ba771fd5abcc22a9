import { expect } from 'chai';
import { changesPage } from '#src/docs/changes-page.js';

describe('the page of changes', () => {
  it('renders Markdown and runs nothing that is in it', () => {
    const html = changesPage(
      '# New\n\n- a `b<c` <script>alert(1)</script>\n- [x](javascript:alert(1)) [y](https://a.example/?a=1&b=2) [z](//evil.example)\n\n<img src=x onerror=y>\n\n![i](x)',
    );
    expect(html).to.include('<h1>New</h1>').and.include('<code>b&lt;c</code>');
    expect(html).to.include('href="https://a.example/?a=1&amp;b=2"');
    expect(html).not.to.match(/<script|<img|javascript:|href="\/\/evil/);
  });
});
