import { withCode } from './page.js';

export type Row = { id: string; cells: (string | number)[] };

/** A table of the docs; the first cell of a row is code. */
export function table(title: string, heads: string[], rows: Row[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join('');
  const body = rows.map(
    ({ id, cells }) =>
      `<tr id="${id}">${cells.map((cell, at) => `<td>${at === 0 ? `<code>${cell}</code>` : withCode(String(cell))}</td>`).join('')}</tr>`,
  );
  return `<h2>${title}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
}
