import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  announceEvent,
  createSecretBox,
  insertWebhook,
  redeliver,
  secretContext,
} from '@parley/database';
import { createEgress } from '@parley/egress';
import { deliverWebhooks, retryDelays } from '#src/processors/deliver-webhooks.js';
import { keptDays, purgeWebhookDeliveries } from '#src/processors/purge-webhook-deliveries.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';
import { jobContext } from './support/context.js';

const taskCreated: Parameters<typeof announceEvent<'task.changed'>>[2] = {
  id: randomUUID(),
  change: 'created',
  externalId: null,
  status: 'open',
  version: 1,
  agentId: null,
  conversationId: null,
};

type Request = { headers: IncomingHttpHeaders; body: string };

describe('a webhook', () => {
  const newKey = () => randomBytes(32).toString('base64');
  const secretsKey = newKey();
  const secretBox = createSecretBox(secretsKey);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  let record: TestRecord;
  let organization: Organization;
  let server: Server;
  let url: string;
  let status: number;
  let requests: Request[];

  before(async () => {
    record = await openRecord();
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(status, { location: url }).end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  beforeEach(async () => {
    await record.clear();
    organization = await record.newOrganization();
    status = 204;
    requests = [];
  });
  after(async () => {
    server.close();
    await record.drop();
  });

  const run = (allow = ['127.0.0.1'], box = secretBox) =>
    deliverWebhooks(jobContext(record, { secretBox: box, egress: createEgress(allow) }));

  const subscribe = async (to = url): Promise<string> => {
    const id = randomUUID();
    await record.database.inOrganization(organization.id, (scope) =>
      insertWebhook(scope, {
        id,
        url: to,
        events: ['task.changed'],
        enabled: true,
        secret: secretBox.seal(secret, secretContext.webhook(id)),
      }),
    );
    return id;
  };
  const announce = (change: Partial<typeof taskCreated> = {}) =>
    record.database.inOrganization(organization.id, (scope) =>
      announceEvent(scope, 'task.changed', { ...taskCreated, ...change }),
    );
  const deliveries = () =>
    record.values(
      `select jsonb_build_object('attempts', attempts, 'pending', next_attempt_at is not null, 'delivered', delivered_at is not null,
         'status', last_status, 'error', last_error) from webhook_deliveries order by created_at`,
    );
  const makeDue = () => record.owner.query('update webhook_deliveries set next_attempt_at = now()');

  it('gets the event, signed so that it can verify who sent it and when', async () => {
    await subscribe();
    await announce({ externalId: 'Grüße' });
    expect(await run()).to.deep.equal({ rows: 1, more: false });
    const [{ headers, body }] = requests as [Request];
    expect(JSON.parse(body)).to.deep.include({
      type: 'task.changed',
      data: { ...taskCreated, externalId: 'Grüße' },
    });
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).to.equal(`v1,${signature}`);
    expect(await deliveries()).to.deep.equal([
      { attempts: 1, pending: false, delivered: true, status: 204, error: null },
    ]);
    expect(await run()).to.deep.equal({ rows: 0, more: false });
  });

  it('is sent the same again, later, until it accepts', async () => {
    await subscribe();
    await announce();
    status = 500;
    await run();
    expect(await run(), 'not due before its time').to.deep.equal({ rows: 0, more: false });
    status = 200;
    await makeDue();
    await run();
    const [first, second] = requests as [Request, Request];
    expect(second.body).to.equal(first.body);
    expect(second.headers['webhook-id']).to.equal(first.headers['webhook-id']);
    expect(await deliveries()).to.deep.equal([
      { attempts: 2, pending: false, delivered: true, status: 200, error: null },
    ]);
  });

  it('is given up after the last attempt', async () => {
    await subscribe();
    await announce();
    status = 500;
    for (let attempt = 0; attempt <= retryDelays.length; attempt += 1) {
      if (attempt > 0) await makeDue();
      await run();
    }
    expect(await deliveries()).to.deep.equal([
      {
        attempts: retryDelays.length + 1,
        pending: false,
        delivered: false,
        status: 500,
        error: 'The endpoint answered 500.',
      },
    ]);
  });

  it('is sent an event that was given up again when somebody asks, once and under the same id', async () => {
    const webhookId = await subscribe();
    await announce();
    status = 500;
    for (let attempt = 0; attempt <= retryDelays.length; attempt += 1) {
      if (attempt > 0) await makeDue();
      await run();
    }
    const [deliveryId] = (await record.values('select id from webhook_deliveries')) as [string];
    await record.database.inOrganization(organization.id, (scope) =>
      redeliver(scope, { webhookId, deliveryId }),
    );
    expect(await run()).to.deep.equal({ rows: 1, more: false });
    const sent = requests.map(({ headers, body }) => [headers['webhook-id'], body]);
    expect(sent).to.have.length(retryDelays.length + 2);
    expect(sent.at(-1)).to.deep.equal([deliveryId, requests[0]?.body]);
    expect(await deliveries()).to.deep.include({
      attempts: retryDelays.length + 2,
      pending: false,
      delivered: false,
      status: 500,
      error: 'The endpoint answered 500.',
    });
  });

  it('cannot be aimed at what only the service can reach', async () => {
    await subscribe();
    await announce();
    await run([]);
    expect(requests).to.deep.equal([]);
    const [delivery] = (await deliveries()) as [{ error: string; status: number | null }];
    expect(delivery.status).to.equal(null);
    expect(delivery.error).not.to.equal(null);
  });

  it('that cannot be reached has a delivery that tells why', async () => {
    await subscribe();
    await announce();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    try {
      await run();
    } finally {
      server.listen(Number(new URL(url).port), '127.0.0.1');
      await once(server, 'listening');
    }
    const error = 'No answer: ECONNREFUSED';
    expect(await deliveries()).to.deep.equal([
      { attempts: 1, pending: true, delivered: false, status: null, error },
    ]);
  });

  it('is told nothing while its signing secret cannot be read', async () => {
    await subscribe();
    await announce();
    await run(undefined, createSecretBox(newKey()));
    const error = 'The signing secret cannot be read.';
    expect(await deliveries()).to.deep.equal([
      { attempts: 1, pending: true, delivered: false, status: null, error },
    ]);
    await makeDue();
    await run(undefined, createSecretBox(newKey(), [newKey(), secretsKey]));
    expect(requests).to.have.length(1);
  });

  it('cannot redirect a delivery', async () => {
    await subscribe();
    await announce();
    status = 302;
    await run();
    expect(requests).to.have.length(1);
    const error = 'Too many redirects.';
    expect(await deliveries()).to.deep.equal([
      { attempts: 1, pending: true, delivered: false, status: null, error },
    ]);
  });

  it('that has many events waiting leaves room for the others', async () => {
    await subscribe('http://127.0.0.1:1/nobody');
    for (let n = 0; n < 60; n += 1) await announce();
    await subscribe();
    await announce();
    await run();
    expect(requests).to.have.length(1);
  });

  it('of one organization that has more waiting than a run takes leaves room for another’s', async () => {
    for (let n = 0; n < 8; n += 1) await subscribe('http://127.0.0.1:1/nobody');
    for (let n = 0; n < 10; n += 1) await announce();
    organization = await record.newOrganization();
    await subscribe();
    await announce();
    expect(await run()).to.deep.equal({ rows: 50, more: false });
    expect(requests).to.have.length(1);
  });

  it('is told by one of two workers', async () => {
    await subscribe();
    for (let n = 0; n < 20; n += 1) await announce({ version: n + 1 });
    await Promise.all([run(), run(), run()]);
    const versions = requests.map(
      ({ body }) => (JSON.parse(body) as { data: { version: number } }).data.version,
    );
    expect(new Set(versions).size).to.equal(versions.length).and.equal(20);
  });

  it('has its old deliveries purged', async () => {
    await subscribe();
    await announce();
    await announce();
    await record.owner.query(
      `update webhook_deliveries set created_at = now() - make_interval(days => $1)
       where id = (select id from webhook_deliveries limit 1)`,
      [keptDays + 1],
    );
    const result = await purgeWebhookDeliveries(jobContext(record));
    expect(result).to.deep.equal({ rows: 1, more: false });
    expect(await deliveries()).to.have.length(1);
  });
});
