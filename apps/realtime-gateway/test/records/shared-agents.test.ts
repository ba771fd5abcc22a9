import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { waitFor } from '@parley/testkit';
import { SharedAgents } from '#src/records/shared-agents.js';

type Agent = ReturnType<SharedAgents['share']>;

const agent = (given: Partial<Agent> = {}): Agent => ({
  id: 'ada',
  name: 'Ada',
  systemMessage: 'Be kind.',
  connectionId: null,
  fallbackConnectionIds: [],
  model: null,
  textModel: null,
  realtimeEnabled: true,
  tools: [],
  updatedAt: new Date(1_000),
  writtenBy: '7',
  ...given,
});

describe('the agents of open sessions', () => {
  it('are kept once, whoever reads them', () => {
    const agents = new SharedAgents();
    const first = agents.share(agent());
    expect(agents.share(agent())).to.equal(first);
  });

  for (const [what, change] of Object.entries({
    'another agent': { id: 'grace' },
    'a changed agent': { writtenBy: '8' },
    'an agent of a restored database': { updatedAt: new Date(2_000) },
  }))
    it(`are not taken for ${what}`, () => {
      const agents = new SharedAgents();
      const first = agents.share(agent());
      const other = agent({ ...change, systemMessage: 'Be brief.' });
      expect(agents.share(other)).to.equal(other);
      expect(agents.share(agent())).to.equal(first);
    });

  it('are forgotten with the last session', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const agents = new SharedAgents();
    agents.share(agent());
    expect(agents.size).to.equal(1);
    await waitFor(
      () => {
        collectGarbage();
        return agents.size === 0;
      },
      { what: 'the agent to be forgotten' },
    );
    const next = agent();
    expect(agents.share(next)).to.equal(next);
  });
});
