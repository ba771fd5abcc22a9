import {
  clientEvents,
  clientRoutes,
  customEvents,
  refusals,
  shortfalls,
  type ClientRoute,
} from '@parley/protocol';
import { heading, table, withCode, type TableRow } from './html.js';
import type { Page } from './layout.js';

/** The messages on the WebSocket of a session, from the tables that the gateway itself uses. */
export function realtimePage(): Page {
  const parts = [
    {
      id: 'service-events',
      title: 'Service events',
      heads: ['type', 'data', 'Meaning'],
      rows: Object.entries(customEvents).map(([type, { doc, data }]) =>
        row(type, [type, Object.keys(data.properties).join(', '), doc]),
      ),
    },
    {
      id: 'client-events',
      title: 'Client events',
      heads: ['type', 'How it is handled'],
      rows: Object.entries<ClientRoute>(clientEvents).map(([type, route]) =>
        row(`client-${type}`, [type, clientRoutes[route]]),
      ),
    },
    {
      id: 'open-errors',
      title: 'Errors during a session',
      heads: ['code', 'Meaning'],
      rows: Object.entries({ ...refusals, ...shortfalls }).map(([code, { doc }]) =>
        row(`error-${code}`, [code, doc]),
      ),
    },
  ];
  const summary = 'Every event on the WebSocket of a realtime session.';
  return {
    path: '/docs/realtime',
    title: 'Realtime events',
    summary,
    headings: parts.map(({ id, title }) => ({ level: 2, id, text: title })),
    html: `<h1>Realtime events</h1>
<p>Create a session with <code>POST /api/v1/Agent/{agentId}/realtime-session</code>, and open its <code>webSocketPath</code> on the same host within a minute. The socket speaks the
provider’s realtime protocol; the service adds its own events, which have a <code>type</code> and <code>data</code>. When a session ends, an <code>error</code> event and the
<a href="/docs/errors#close-codes">close code</a> say why. Also available as <a href="/api/v1/asyncapi.json">AsyncAPI 3</a>.</p>
${parts.map(({ id, title, heads, rows }) => heading(2, id, title) + table(heads, rows)).join('')}`,
  };
}

function row(id: string, [name = '', ...texts]: readonly string[]): TableRow {
  return { id, cells: [`<code>${name}</code>`, ...texts.map(withCode)] };
}
