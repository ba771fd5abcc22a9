import { expect } from 'chai';
import { needs, waitFor } from '@parley/testkit';
import { clients, type Outcomes } from './clients.js';
import { spokenWords, startParley, type Parley } from './parley.js';
import { scenarios, typed, type Outcome, type Scenario } from './scenarios.js';

type Message = {
  role: string;
  content: string;
  interrupted: boolean;
  toolCall: { name: string; status: number } | null;
};
type Page<T> = { items: T[] };

/** What a client is told, and what the record holds afterwards. */
const expected: Readonly<Record<Scenario, (outcome: Outcome, record: Message[]) => void>> = {
  text({ answers, audioBytes }, record) {
    expect(answers).to.deep.equal(['Hello there']);
    expect(audioBytes).to.be.greaterThan(0);
    expect(said(record)).to.deep.equal([`user: ${typed.text}`, 'assistant: Hello there']);
  },
  speech({ answers, heard, audioBytes }, record) {
    expect(heard).to.deep.equal([spokenWords]);
    expect(answers).to.have.length(1);
    expect(audioBytes).to.be.greaterThan(0);
    // Some let the agent greet first.
    expect(said(record).slice(-2)).to.deep.equal([
      `user: ${spokenWords}`,
      `assistant: ${answers[0]}`,
    ]);
  },
  clientTool({ answers, toolCalls }, record) {
    expect(toolCalls).to.deep.equal([{ name: 'colour', arguments: { name: 'sky' } }]);
    expect(answers).to.have.length(1);
    expect(said(record)).to.deep.equal([`user: ${typed.clientTool}`, `assistant: ${answers[0]}`]);
  },
  backendTool({ answers, toolCalls }, record) {
    expect(toolCalls).to.be.empty;
    expect(answers).to.have.length(1);
    expect(called(record)).to.deep.equal([{ name: 'look_up', status: 1 }]);
    expect(said(record)).to.deep.equal([`user: ${typed.backendTool}`, `assistant: ${answers[0]}`]);
  },
  approval({ answers, toolCalls }, record) {
    expect(toolCalls).to.be.empty;
    expect(answers).to.have.length(1);
    expect(called(record)).to.deep.equal([{ name: 'pay', status: 1 }]);
    expect(said(record)).to.deep.equal([`user: ${typed.approval}`, `assistant: ${answers[0]}`]);
  },
  interruption({ interrupted }, record) {
    expect(interrupted).to.equal(true);
    const cut = record.find(({ role }) => role === 'assistant');
    expect(cut).to.include({ interrupted: true });
  },
};

const said = (record: Message[]) =>
  record.filter(({ role }) => role !== 'tool').map(({ role, content }) => `${role}: ${content}`);
const called = (record: Message[]) =>
  record.flatMap(({ toolCall }) =>
    toolCall ? [{ name: toolCall.name, status: toolCall.status }] : [],
  );

describe('a client that we did not write', () => {
  let parley: Parley;
  needs('openssl');
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  for (const [name, client] of Object.entries(clients))
    describe(name, () => {
      needs(...client.needs);
      let agentId: string;
      let outcomes: Outcomes;
      before(async () => {
        agentId = await parley.newAgent();
        const running = client.run(parley, agentId);
        [outcomes] = await Promise.all([running, approveMeanwhile(running)]);
      });

      /** As a person in the customer's back office. */
      const approveMeanwhile = async (running: Promise<unknown>) => {
        const state = { over: false };
        void running.finally(() => (state.over = true)).catch(() => undefined);
        const waiting = await waitFor(
          async () =>
            state.over || (await parley.request<Page<{ id: string }>>('GET', '/Approval')).items[0],
          { what: 'an approval', timeoutMs: 110_000 },
        );
        if (waiting !== true) await parley.request('POST', `/Approval/${waiting.id}/approve`);
      };

      /** Each scenario had a conversation of its own, in their order. */
      const recordOf = async (scenario: Scenario): Promise<Message[]> => {
        const path = `/Conversation?AgentId=${agentId}`;
        const { items } = await parley.request<Page<{ id: string; createdAt: string }>>(
          'GET',
          path,
        );
        expect(items).to.have.length(scenarios.length);
        const ordered = items.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
        const { id } = ordered[scenarios.indexOf(scenario)]!;
        return (await parley.request<Page<Message>>('GET', `/Conversation/${id}/message`)).items;
      };

      for (const scenario of scenarios)
        it(`holds up: ${scenario}`, async () => {
          const outcome = outcomes.get(scenario)!;
          expect(outcome.errors).to.be.empty;
          expected[scenario](outcome, await recordOf(scenario));
        });
    });
});
