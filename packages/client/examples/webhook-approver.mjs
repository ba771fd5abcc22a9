// Decides tool calls that wait for approval. Parley announces each one with a signed request.
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

/** Replace this with your own rules. */
function isHarmless({ name, arguments: given }) {
  return name === 'create_task' && !/delete/i.test(given.title);
}

async function decide(approval) {
  const verb = isHarmless(approval) ? 'approve' : 'reject';
  try {
    const { state, name } = await parley.approvals[verb](approval.id);
    console.log(`${name} was ${state}`);
  } catch (error) {
    // Somebody else decided first, or the event was delivered twice.
    if (!(error instanceof ParleyApiError && error.errorCode === 'approval-decided')) throw error;
  }
}

/** Events omit details such as the arguments, so read the approvals from the API. */
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
    // Parley retries the delivery after a 500.
    response.writeHead(error instanceof ParleyWebhookError ? 400 : 500).end();
  }
});

server.listen(Number(PORT), async () => {
  console.log(`Events go to http://localhost:${server.address().port}`);
  // Decide the calls that started waiting while this process was down.
  await decideAll();
});
