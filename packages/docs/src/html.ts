export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Text in which backquotes mark code. */
export function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}

/** A table that scrolls horizontally on narrow pages. Cells are HTML. */
export function table(heads: readonly string[], rows: readonly TableRow[]): string {
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map(({ id, cells }) => {
    const place = id === undefined ? '' : ` id="${escapeHtml(id)}"`;
    return `<tr${place}>${cells.map((cell) => `<td>${breakable(cell)}</td>`).join('')}</tr>`;
  });
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>
${body.join('\n')}
</tbody></table></div>
`;
}

/** Allows line breaks between the words of long settings and paths. */
function breakable(cell: string): string {
  return cell.replaceAll(/<code>([^<]*)<\/code>/g, (code) =>
    code.replaceAll(/(?<=\w)[_/](?=\w)/g, '$&<wbr>'),
  );
}

export type TableRow = { readonly id?: string; readonly cells: readonly string[] };

/** A heading that can be linked to. */
export function heading(level: number, id: string, html: string): string {
  return `<h${level} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${level}>\n`;
}

export type CodeBlock = {
  readonly code: string;
  readonly language: string;
  readonly file?: string;
};

export function codeBlock({ code, language, file }: CodeBlock): string {
  const caption = file === undefined ? '' : `<figcaption>${escapeHtml(file)}</figcaption>`;
  return `<figure class="code" data-language="${escapeHtml(language)}">${caption}<pre tabindex="0"><code>${escapeHtml(code)}</code></pre></figure>\n`;
}
