import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { authenticator } from '#src/http/authenticate.js';
import { refuse } from '#src/http/refuse.js';
import { routes } from '#src/http/routes.js';
import { operationRoutes } from '#src/http/operation-routes.js';
import { createSecretBox, insertApiKey, insertOrganization } from '@parley/database';
import { operations, type Operation } from '@parley/protocol';
import { createLogger, listen } from '@parley/service-kit';
import { migratedDatabase } from '@parley/testkit';

const old: Operation = {
  ...operations.getAgent,
  path: '/Old/{oldId}',
  deprecated: { since: '2026-11-01', sunset: '2027-11-01' },
};
const endless = { refusedFor: () => undefined, failed: () => Promise.resolve() };
const unlimited = {
  name: 'requests',
  perMinute: Infinity,
  consume: () => Promise.resolve({ kind: 'unknown' } as const),
  consumeWith: () => Promise.resolve([]),
};

describe('a deprecated operation', () => {
  it('says so in every answer', async () => {
    const store = await migratedDatabase();
    const { database } = store;
    const { id, key } = await database.asSystem(async (system) => {
      const organization = await insertOrganization(system, { name: 'Test' });
      const of = { organizationId: organization.id, name: 'test', environment: 'test' };
      return { id: organization.id, key: (await insertApiKey(system, of)).key };
    });
    const app = express();
    app.use(
      routes(
        operationRoutes({
          operations: { old },
          handlers: { old: { run: () => Promise.resolve({ id: 'x' }) } },
          authenticate: authenticator({
            database,
            attempts: endless,
            clientAddress: () => '127.0.0.1',
            metrics: { notAuthenticated: () => undefined },
          }),
          database,
          secretBox: createSecretBox(Buffer.alloc(32).toString('base64')),
          rateLimits: { requests: unlimited, sessions: unlimited },
          maxFileBytes: 1024,
          maxBodyBytes: 1024,
        }),
      ),
    );
    app.use(refuse(createLogger({ app: 'api', level: 'silent' })));
    const server = createServer(app);
    const port = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    const statuses: number[] = [];
    for (const headers of [{ 'X-Api-Key': key, 'X-Org-Id': id }, {}]) {
      const reply = await fetch(
        `http://127.0.0.1:${port}/api/v1/Old/3f0c9b1e-8a5d-4c56-9b7e-2f1f6a1d0c11`,
        { headers },
      );
      statuses.push(reply.status);
      expect(reply.headers.get('deprecation')).to.equal('@1793491200');
      expect(reply.headers.get('sunset')).to.equal('Mon, 01 Nov 2027 00:00:00 GMT');
      expect(reply.headers.get('link')).to.include('rel="deprecation"');
    }
    expect(statuses).to.deep.equal([200, 401]);
    server.closeAllConnections();
    server.close();
    await store.drop();
  });
});
