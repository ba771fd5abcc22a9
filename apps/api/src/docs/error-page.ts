import { closeCodes, problems, realtimeErrors } from '@parley/protocol';
import { escapeHtml, page } from './page.js';

/** Every error a caller may see, from the catalogues themselves. */
export function errorPage(): string {
  const sections = [
    table('REST errors', ['Code', 'Status', 'Meaning'], problemRows()),
    table('Realtime errors', ['errorCode', 'Close code', 'Meaning'], realtimeRows()),
    table('Close codes', ['Reason', 'Code', 'Retry', 'Meaning'], closeRows()),
  ];
  return page(
    'Errors',
    `<h1>Errors</h1>
<p>REST errors are problem+json: <code>{type, title, status, detail, errors?}</code>; <code>type</code> links to a row here.
Realtime domain errors are HTTP 400 with exactly <code>{status, detail, errorCode}</code>.</p>
${sections.join('\n')}`,
  );
}

const problemRows = () =>
  Object.entries(problems).map(([code, { status, doc }]) => ({
    id: code,
    cells: [code, status, doc],
  }));

const realtimeRows = () =>
  Object.entries(realtimeErrors).map(([code, { closeCode, doc }]) => ({
    id: code,
    cells: [code, closeCode ?? '–', doc],
  }));

const closeRows = () =>
  Object.entries(closeCodes).map(([name, { code, retry, doc }]) => ({
    id: `close-${name}`,
    cells: [name, code, retry ? 'yes' : 'no', doc],
  }));

type Row = { id: string; cells: (string | number)[] };

function table(title: string, heads: string[], rows: Row[]): string {
  const head = heads.map((text) => `<th>${text}</th>`).join('');
  const body = rows.map(
    ({ id, cells }) =>
      `<tr id="${id}">${cells.map((cell, at) => `<td>${at === 0 ? `<code>${cell}</code>` : withCode(String(cell))}</td>`).join('')}</tr>`,
  );
  return `<h2>${title}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
}

function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
