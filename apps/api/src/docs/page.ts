/** A page of the docs around its content, which is HTML. */
export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley: ${title}</title>
<link rel="stylesheet" href="/docs/page.css"></head>
<body><main><p><a href="/docs">API reference</a></p>
${content}</main></body></html>
`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
