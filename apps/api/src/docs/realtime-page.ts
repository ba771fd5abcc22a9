import {
  clientEvents,
  clientRoutes,
  customEvents,
  refusals,
  shortfalls,
  type ClientRoute,
} from '@parley/protocol';
import { page } from './page.js';
import { table } from './table.js';

/** What passes on the WebSocket of a session, from the tables that the gateway itself works by. */
export function realtimePage(): string {
  return page(
    'Realtime session',
    `<h1>Realtime session</h1>
<p>Create a session with <code>POST /api/v1/Agent/{agentId}/realtime-session</code>, and open its <code>webSocketPath</code> on the same host within a minute. The socket speaks the
provider’s protocol; the service adds its own events, which have a <code>type</code> and <code>data</code>. Why a session ends is told in an <code>error</code> event and by the
<a href="/docs/errors">close code</a>. The same as <a href="/api/v1/asyncapi.json">AsyncAPI 3</a>.</p>
${table('Events that the service adds', ['type', 'data', 'Meaning'], customRows())}
${table('Events of a client', ['type', 'What becomes of it'], clientRows())}
${table('Errors while the session goes on', ['code', 'Meaning'], errorRows())}`,
  );
}

const customRows = () =>
  Object.entries(customEvents).map(([type, { doc, data }]) => ({
    id: type,
    cells: [type, Object.keys(data.properties).join(', '), doc],
  }));

const clientRows = () =>
  Object.entries<ClientRoute>(clientEvents).map(([type, route]) => ({
    id: `client-${type}`,
    cells: [type, clientRoutes[route]],
  }));

const errorRows = () =>
  Object.entries({ ...refusals, ...shortfalls }).map(([code, { doc }]) => ({
    id: `error-${code}`,
    cells: [code, doc],
  }));
