import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { beginUpload, finishUpload } from '@parley/database';
import { problemCode } from './support/contract-client.js';
import { overheard } from './support/openai-client.js';
import { QuestionStage } from './support/question-stage.js';

describe('the files of a question', () => {
  let stage: QuestionStage;
  before(async () => {
    stage = await QuestionStage.open();
  });
  after(() => stage.close());

  const upload = (organizationId: string, text: string): Promise<string> =>
    stage.api.database.inOrganization(organizationId, async (scope) => {
      const { id } = await beginUpload(scope, { name: 'menu.txt', storage: 'postgres' });
      const found = { mediaType: 'text/plain', sizeBytes: text.length, textTruncated: false };
      await finishUpload(scope, { id, text, ttlHours: 1, ...found });
      return id;
    });

  it('are told to the model before it, as fenced data', async () => {
    const { connectionId, heard } = await overheard(stage);
    const agentId = await stage.agent([], { connectionId });
    const fileIds = [await upload(stage.tenant.id, 'Soup of the day: leek')];
    const { answer } = await stage.answer(agentId, '!say Leek', { fileIds });
    expect(answer).to.equal('Leek');
    const messages = heard[0]!.filter(({ role }) => role !== 'system');
    expect(messages.map(({ role }) => role)).to.deep.equal(['user', 'user']);
    expect(messages[0]!.content).to.match(
      /<<<file [0-9a-f]+ "menu.txt"\nSoup of the day: leek\n>>>end/,
    );
    expect(messages[1]!.content).to.equal('!say Leek');
  });

  it('must be the organization’s own and still there', async () => {
    const agentId = await stage.agent();
    const own = await upload(stage.tenant.id, 'mine');
    const foreign = await upload((await stage.api.organization()).id, 'theirs');
    for (const bad of [foreign, randomUUID()]) {
      const reply = await stage.ask(agentId, { question: 'x', fileIds: [own, bad] });
      expect(problemCode(reply)).to.equal('body-invalid');
      const { errors } = reply.body as { errors: { path: string }[] };
      expect(errors.map(({ path }) => path)).to.deep.equal(['/fileIds/1']);
    }
    const many = Array.from({ length: 11 }, () => randomUUID());
    expect((await stage.ask(agentId, { question: 'x', fileIds: many })).status).to.equal(400);
    const { body } = await stage.tenant.client.get(`/api/v1/Conversation?AgentId=${agentId}`);
    expect((body as { total: number }).total).to.equal(0);
  });
});
