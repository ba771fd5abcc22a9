import { expect } from 'chai';
import { createSecretBox, findConnectionSecret, secretContext } from '@parley/database';
import { startApi, type ApiUnderTest, type Tenant } from './support/api-under-test.js';
import type { Reply } from './support/contract-client.js';

type Changed = {
  id: string;
  hasSecret?: boolean;
  secretNames?: string[];
  secret?: string;
  warnings?: { code: string; path: string; message: string }[];
};

const secret = 'sk-only-for-the-first-origin';
const headers = { authorization: 'Bearer {{secret:KEY}}' };
const tool = (url: string, name = 'pay') => ({
  ...{ kind: 'http', name, description: 'Pays.', method: 'POST', url, headers },
});

describe('a stored secret', () => {
  let api: ApiUnderTest;
  let tenant: Tenant;
  before(async () => {
    api = await startApi();
    tenant = await api.organization();
  });
  after(() => api.stop());

  const made = async (path: string, body: object): Promise<string> => {
    const reply = await tenant.client.post(path, body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return `${path}/${(reply.body as Changed).id}`;
  };
  const changed = ({ status, body }: Reply): Changed => {
    expect(status, JSON.stringify(body)).to.equal(200);
    return body as Changed;
  };
  const lastAudit = async () => {
    const { body } = await tenant.client.get('/api/v1/AuditLog?Limit=200');
    return (body as { items: { after: object }[] }).items.at(-1)?.after;
  };

  describe('of a connection', () => {
    const kind = 'openai-compatible';
    const connection = () =>
      made('/api/v1/Connection', { name: 'C', kind, baseUrl: 'https://llm.example/v1', secret });

    it('is dropped with a warning when baseUrl gets another origin', async () => {
      const path = await connection();
      const moved = changed(await tenant.client.patch(path, { baseUrl: 'https://evil.example' }));
      expect(moved).to.include({ hasSecret: false });
      expect(moved.warnings).to.have.length(1);
      expect(moved.warnings![0]).to.include({ code: 'secret-dropped', path: '/secret' });
      expect((await tenant.client.get(path)).body).to.include({ hasSecret: false });
      expect((await tenant.client.get(path)).body).not.to.have.property('warnings');
      expect(await lastAudit()).to.include({ hasSecret: false, secretDropped: true });
    });

    it('is kept when the origin stays, and replaced by one that is sent along', async () => {
      const path = await connection();
      const same = { baseUrl: 'https://LLM.example:443/v2', name: 'D' };
      const kept = changed(await tenant.client.patch(path, same));
      expect(kept).to.include({ hasSecret: true }).and.not.have.property('warnings');
      const both = { baseUrl: 'https://other.example', secret: 'sk-another' };
      const replaced = changed(await tenant.client.patch(path, both));
      expect(replaced).to.include({ hasSecret: true }).and.not.have.property('warnings');
      const sealed = await api.database.inOrganization(tenant.id, (scope) =>
        findConnectionSecret(scope, replaced.id),
      );
      const box = createSecretBox(api.secretsKey);
      expect(box.open(sealed!, secretContext.connection(replaced.id))).to.equal('sk-another');
    });

    it('counts the address that a kind has of its own', async () => {
      const path = await made('/api/v1/Connection', { name: 'C', kind: 'openai', secret });
      const own = { baseUrl: 'https://api.openai.com/v1' };
      expect(changed(await tenant.client.patch(path, own))).to.include({ hasSecret: true });
      const elsewhere = { baseUrl: 'https://api.openai.com.evil.example/v1' };
      expect(changed(await tenant.client.patch(path, elsewhere))).to.include({ hasSecret: false });
    });
  });

  describe('of an agent', () => {
    const body = (...tools: object[]) => ({ name: 'A', tools });
    const agent = () =>
      made('/api/v1/Agent', { ...body(tool('https://bank.example')), secrets: { KEY: secret } });

    for (const [how, method] of [
      ['PATCH', 'patch'],
      ['PUT', 'put'],
    ] as const)
      it(`is dropped with a warning when ${how} aims a tool elsewhere, under whatever name`, async () => {
        const path = await agent();
        const moved = changed(
          await tenant.client[method](path, body(tool('https://evil.example', 'other'))),
        );
        expect(moved.secretNames).to.deep.equal([]);
        expect(moved.warnings).to.have.length(1);
        expect(moved.warnings![0]).to.include({ code: 'secret-dropped', path: '/secrets/KEY' });
        expect(await lastAudit()).to.deep.include({ secretsDropped: ['KEY'] });
      });

    it('is kept by other changes, and when it is sent again', async () => {
      const path = await agent();
      const tools = [tool('https://bank.example/v2/{{id}}')].map((one) => ({
        ...one,
        parameters: { type: 'object', properties: { id: {} } },
      }));
      expect(changed(await tenant.client.patch(path, { tools })).secretNames).to.deep.equal([
        'KEY',
      ]);
      const moved = { tools: [tool('https://other.example')], secrets: { KEY: 'again' } };
      const again = changed(await tenant.client.patch(path, moved));
      expect(again.secretNames).to.deep.equal(['KEY']);
      expect(again).not.to.have.property('warnings');
    });

    it('that was dropped hinders no other change, and can be sent later', async () => {
      const path = await agent();
      await tenant.client.patch(path, body(tool('https://other.example')));
      expect(changed(await tenant.client.patch(path, { name: 'B' })).secretNames).to.be.empty;
      const later = changed(await tenant.client.patch(path, { secrets: { KEY: 'again' } }));
      expect(later.secretNames).to.deep.equal(['KEY']);
      const removal = await tenant.client.patch(path, { secrets: { KEY: null } });
      expect(removal.status).to.equal(400);
    });

    it('cannot be sent to a host that the model chooses', async () => {
      const path = await agent();
      for (const url of [
        'https://{{host}}/',
        'https://bank.example.{{host}}/',
        'https://{{secret:KEY}}@bank.example/',
        'https://bank.example{{host}}/',
        'https://bank.example:{{host}}/',
        '{{host}}://bank.example/',
      ]) {
        const parameters = { type: 'object', properties: { host: { type: 'string' } } };
        const reply = await tenant.client.patch(path, { tools: [{ ...tool(url), parameters }] });
        expect(reply.status, url).to.equal(400);
      }
    });
  });

  describe('of a webhook', () => {
    it('is replaced by a new one, shown once, when url gets another origin', async () => {
      const input = { url: 'https://a.example/in', events: ['task.changed'] };
      const created = await tenant.client.post('/api/v1/Webhook', input);
      const { id, secret: first } = created.body as { id: string; secret: string };
      const path = `/api/v1/Webhook/${id}`;
      const same = changed(await tenant.client.patch(path, { url: 'https://a.example/out' }));
      expect(same).not.to.have.any.keys('secret', 'warnings');
      const moved = changed(await tenant.client.patch(path, { url: 'https://b.example/in' }));
      expect(moved.secret)
        .to.match(/^whsec_/)
        .and.not.equal(first);
      expect(moved.warnings![0]).to.include({ code: 'secret-replaced', path: '/url' });
      expect((await tenant.client.get(path)).body).not.to.have.any.keys('secret', 'warnings');
      expect(await lastAudit())
        .to.include({ secretWritten: true })
        .and.not.have.property('secret');
    });
  });

  it('is in no log line and no metric, whatever became of it', async () => {
    const text = [...api.logLines, await api.metrics.registry.metrics()].join('\n');
    expect(text).not.to.match(/sk-only-for|sk-another|whsec_/);
  });
});
