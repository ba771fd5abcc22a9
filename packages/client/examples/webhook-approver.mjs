// Decides about tool calls that wait for a person: Parley tells of each with a signed request.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Parley, ParleyApiError, ParleyWebhookError, verifyWebhook } from '@parley/client/server';

const {
  PARLEY_URL,
  PARLEY_API_KEY,
  PARLEY_ORGANIZATION,
  WEBHOOK_SECRET,
  PORT = '4000',
} = process.env;
const parley = new Parley({
  baseUrl: PARLEY_URL,
  apiKey: PARLEY_API_KEY,
  organizationId: PARLEY_ORGANIZATION,
});

/** Put your own rules here. */
function isHarmless({ name, arguments: given }) {
  return name === 'create_task' && !/delete/i.test(given.title);
}

async function decide(approval) {
  const verb = isHarmless(approval) ? 'approve' : 'reject';
  try {
    const { state, name } = await parley.approvals[verb](approval.id);
    console.log(`${name} was ${state}`);
  } catch (error) {
    // Somebody else was faster, or the event came twice.
    if (!(error instanceof ParleyApiError && error.errorCode === 'approval-decided')) throw error;
  }
}

/** What an event does not tell, such as the arguments, is read. */
async function decideAll(query) {
  for await (const approval of parley.approvals.list(query))
    if (approval.approvers.includes('api')) await decide(approval);
}

const server = createServer(async (request, response) => {
  try {
    const body = await buffer(request);
    const event = await verifyWebhook({ body, headers: request.headers, secret: WEBHOOK_SECRET });
    if (event.type === 'approval.waiting') await decideAll({ agentId: event.data.agentId });
    response.writeHead(204).end();
  } catch (error) {
    console.error(error.message);
    // After a 500 the event comes again.
    response.writeHead(error instanceof ParleyWebhookError ? 400 : 500).end();
  }
});

server.listen(Number(PORT), async () => {
  console.log(`Events go to http://localhost:${server.address().port}`);
  // What began to wait while nobody listened.
  await decideAll();
});
