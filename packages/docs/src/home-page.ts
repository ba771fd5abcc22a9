import { escapeHtml } from './html.js';

/** The page at the service's own address: that it is running, and where to go next. */
export function homePage(version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<link rel="icon" type="image/svg+xml" href="/docs/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script src="/docs/assets/theme.js"></script>
</head>
<body>
<main id="content" class="home">
<h1>Parley</h1>
<p>Your agent service is running. Version ${escapeHtml(version)}.</p>
<ul>
<li><a href="/console/">Console</a><small>Talk to your agents, decide approvals, manage keys and members.</small></li>
<li><a href="/docs/quick-start">Quick start</a><small>Talk to the demo agent in five minutes.</small></li>
<li><a href="/docs">Guides</a><small>Agents, tools, approvals, browsers, telephony, operations.</small></li>
<li><a href="/docs/api">API reference</a><small>Every operation, with a form to try it.</small></li>
<li><a href="/docs/operations#health">Health</a><small>Health checks, metrics and what to monitor.</small></li>
</ul>
</main>
</body>
</html>
`;
}
