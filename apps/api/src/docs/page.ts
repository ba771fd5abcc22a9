/** A page of the docs around its content, which is HTML. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley: ${title}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs/page.css"></head>
<body><nav><strong>Parley</strong> <a href="/docs">API reference</a> <a href="/docs/realtime">Realtime session</a> <a href="/docs/errors">Errors</a> <a href="/docs/changes">What’s New</a></nav>
<main>
${content}</main></body></html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Text in which backquotes mark code. */
export function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
