// A backend whose page talks to an agent. The API key stays here: the page asks for a session and
// gets a path that opens one WebSocket, once.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { Parley, ParleyApiError } from '@parley/client/server';

const { PARLEY_URL, PARLEY_API_KEY, PARLEY_ORGANIZATION, PARLEY_AGENT, PORT } = process.env;
const parley = new Parley({
  baseUrl: PARLEY_URL,
  apiKey: PARLEY_API_KEY,
  organizationId: PARLEY_ORGANIZATION,
});
/** The page loads the client without a bundler; yours may use one. */
const client = fileURLToPath(new URL('.', import.meta.resolve('@parley/client/audio-worklet.js')));

/** The owner of each conversation: a user may continue only their own. */
const owners = new Map();

const app = express();
app.use(express.json());
app.use('/client', express.static(client));

app.get('/', (_request, response) => {
  response.cookie('user', randomUUID(), { httpOnly: true, sameSite: 'strict' });
  response.sendFile(fileURLToPath(new URL('plain-page.html', import.meta.url)));
});

app.post('/my/session', async (request, response) => {
  const user = userOf(request);
  const { conversationId, clientTools } = request.body ?? {};
  if (conversationId && owners.get(conversationId) !== user) return response.sendStatus(403);
  const session = await parley.realtimeSessions.create(PARLEY_AGENT, {
    conversationId,
    clientTools,
  });
  owners.set(session.conversationId, user);
  const webSocketPath = PARLEY_URL.replace(/\/$/, '') + session.webSocketPath;
  response.json({ ...session, webSocketPath });
});

app.use((error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const isParleys = error instanceof ParleyApiError;
  console.error(isParleys ? error.message : error);
  response
    .status(isParleys && error.status === 429 ? 429 : 502)
    .json({ error: 'Try again later.' });
});

const server = app.listen(Number(PORT ?? 3000), () => {
  console.log(`Open http://localhost:${server.address().port}`);
});

/** Replace this with your own sign-in. */
function userOf(request) {
  return /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
}
