import { expect } from 'chai';
import type { Transactor } from '@parley/database';
import { auditVerifier } from '#src/audit/audit-verifier.js';

describe('the verifier of audit logs', () => {
  /** Each transaction waits to be failed. */
  const stuckDatabase = () => {
    const waiting: { organizationId: string; fail: (error: Error) => void }[] = [];
    const inOrganization: Transactor['inOrganization'] = (organizationId) =>
      new Promise((_, fail) => waiting.push({ organizationId, fail }));
    return { waiting, inOrganization };
  };

  it('walks along each log once at a time, whoever asks', async () => {
    const { waiting, inOrganization } = stuckDatabase();
    const verify = auditVerifier({ inOrganization });
    const asked = ['a', 'a', 'b', 'a'].map((id) => verify(id).catch((error: unknown) => error));
    expect(waiting.map(({ organizationId }) => organizationId)).to.deep.equal(['a', 'b']);
    const lost = new Error('lost');
    for (const { fail } of waiting) fail(lost);
    expect(await Promise.all(asked)).to.deep.equal([lost, lost, lost, lost]);
  });

  it('walks anew once a walk has ended, even if it failed', async () => {
    const { waiting, inOrganization } = stuckDatabase();
    const verify = auditVerifier({ inOrganization });
    for (const round of [1, 2]) {
      const asked = verify('a').catch((error: unknown) => error);
      expect(waiting).to.have.length(round);
      waiting.at(-1)?.fail(new Error('lost'));
      expect(await asked)
        .to.be.an('error')
        .with.property('message', 'lost');
    }
  });
});
