import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { insertApiKey, revokeApiKey } from '@parley/database';
import type { QuestionAnswer } from '@parley/protocol';
import { waitFor } from '@parley/testkit';
import { contractClient, type ContractClient } from './support/contract-client.js';
import { QuestionStage } from './support/question-stage.js';

const failure =
  'The API key that asked this question was revoked or has expired, or the member who did was removed.';

describe('a question whose API key is revoked', () => {
  let stage: QuestionStage;
  /** With another key of the same organization. */
  let colleague: ContractClient;
  beforeEach(async () => {
    stage = await QuestionStage.open();
    await stage.worker();
    const { id: organizationId } = stage.tenant;
    const { key } = await stage.api.database.asSystem((system) =>
      insertApiKey(system, { organizationId, name: 'colleague' }),
    );
    colleague = contractClient(stage.api.url, { 'X-Api-Key': key, 'X-Org-Id': organizationId });
  });
  afterEach(() => stage.close());

  /** In PostgreSQL alone, as the administrator's command line does. */
  const revoke = () =>
    stage.api.database.asSystem((system) => revokeApiKey(system, stage.tenant.keyId));
  const failed = (runId: string) =>
    waitFor(
      () =>
        stage.api.database.asSystem(({ trx }) =>
          trx
            .selectFrom('runs')
            .select('failure')
            .where('id', '=', runId)
            .where('state', '=', 'failed')
            .executeTakeFirst(),
        ),
      { what: 'the end of the question' },
    );

  it('is cancelled while it waits for a person, whose approval then runs nothing', async () => {
    const agentId = await stage.agent([stage.bell({ approvalRequired: true })]);
    const { body } = await stage.ask(agentId, { question: '!call bell {}' });
    const { messageId, approvals, conversationId } = body as QuestionAnswer;
    await revoke();
    expect(await failed(messageId)).to.deep.equal({ failure });
    const approved = await colleague.post(`/api/v1/Approval/${approvals[0]!.id}/approve`);
    expect(approved.status).to.equal(409);
    const { body: list } = await colleague.get(
      `/api/v1/Approval?State=cancelled&ConversationId=${conversationId}`,
    );
    expect(list).to.have.nested.property('items[0].state', 'cancelled');
    expect(stage.rings).to.deep.equal([]);
  });

  it('is cancelled while it is being answered: its tool is let go of, and nothing follows', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = once(server, 'request') as Promise<[IncomingMessage]>;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const agentId = await stage.agent([stage.bell({ url, name: 'slow', timeoutSeconds: 600 })]);
    const answer = stage.ask(agentId, { question: '!call slow {}' });
    const [request] = await asked;
    const aborted = once(request.socket, 'close');
    await revoke();
    await aborted;
    server.closeAllConnections();
    server.close();
    const reply = await answer;
    expect(reply.status).to.equal(502);
    expect(reply.body).to.have.property('detail', failure);
  });
});
