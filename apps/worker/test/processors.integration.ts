import { expect } from 'chai';
import { decideToolCall, verifyAudit, type Database } from '@parley/database';
import type { WorkerSettings } from '#src/job.js';
import { closeSessionsOfLostPods } from '#src/processors/close-lost-sessions.js';
import { purgeConversations } from '#src/processors/purge-conversations.js';
import { sweepApprovals } from '#src/processors/sweep-approvals.js';
import { openCoordination, type Coordination } from './support/coordination.js';
import { jobContext, settings } from './support/context.js';
import { openRecord, type Organization, type TestRecord } from './support/record.js';

describe('a processor', () => {
  let record: TestRecord;
  let organization: Organization;
  let coordination: Coordination;

  before(async () => {
    record = await openRecord();
  });
  beforeEach(async () => {
    await record.clear();
    organization = await record.newOrganization();
    coordination = await openCoordination(record);
  });
  afterEach(() => coordination.close());
  after(() => record.drop());

  const context = (changes: Partial<WorkerSettings> = {}) => ({
    ...jobContext(record, { settings: { ...settings, ...changes } }),
    ...coordination,
  });

  /** The record, out of reach for what belongs to one organization. */
  const brokenFor = ({ id }: Pick<Organization, 'id'>, error: Error): Database => ({
    ...record.database,
    inOrganization: (organizationId, work) =>
      organizationId === id
        ? Promise.reject(error)
        : record.database.inOrganization(organizationId, work),
  });

  const auditOf = ({ id }: Organization) =>
    record.values(
      `select jsonb_build_object('action', action, 'actor', actor, 'resource', resource_type, 'after', after)
       from audit_log where organization_id = $1 order by sequence`,
      [id],
    );

  describe('purge-conversations', () => {
    const kept = () => record.values('select id from conversations order by id');

    it('deletes what was not updated for so long, with all that belongs to it, and nothing else', async () => {
      const [old] = await record.addConversations(organization, { count: 1, daysAgo: 31 });
      const recent = await record.addConversations(organization, { count: 2, daysAgo: 29 });
      const session = await record.addSession(old!, 31 * 86_400);
      await record.owner.query('update realtime_sessions set ended_at = started_at');
      await record.owner.query(
        `insert into messages (organization_id, conversation_id, session_id, position, role, content, status)
         values ($1, $2, $3, 1, 'user', 'Hello', 'completed')`,
        [organization.id, old, session],
      );
      await record.owner.query(
        `insert into tasks (organization_id, title, description, status, conversation_id, metadata)
         values ($1, 'T', '', 'open', $2, '{}')`,
        [organization.id, old],
      );
      expect(await purgeConversations(context())).to.deep.equal({ rows: 1, more: false });
      expect(await kept()).to.have.members(recent);
      expect(await record.values('select id from messages')).to.deep.equal([]);
      expect(await record.values('select id from realtime_sessions')).to.deep.equal([]);
      expect(await record.values('select conversation_id from tasks')).to.deep.equal([null]);
    });

    it('writes one audit record per organization and run, and none for nothing', async () => {
      const [other, idle] = [await record.newOrganization(), await record.newOrganization()];
      await record.addConversations(organization, { count: 3, daysAgo: 40 });
      await record.addConversations(other, { count: 2, daysAgo: 40 });
      await record.addConversations(idle, { count: 1, daysAgo: 1 });
      expect(await purgeConversations(context())).to.deep.equal({ rows: 5, more: false });
      expect(await purgeConversations(context())).to.deep.equal({ rows: 0, more: false });
      const purged = (count: number) => ({
        action: 'conversation.purged',
        actor: { kind: 'system', name: 'retention' },
        resource: 'conversation',
        after: { count, retentionDays: 30 },
      });
      expect(await auditOf(organization)).to.deep.equal([purged(3)]);
      expect(await auditOf(other)).to.deep.equal([purged(2)]);
      expect(await auditOf(idle)).to.deep.equal([]);
      expect(await verifyAudit(record.database, other.id)).to.deep.equal({ ok: true, records: 1 });
    });

    it('keeps everything with 0 days', async () => {
      await record.addConversations(organization, { count: 1, daysAgo: 9999 });
      const result = await purgeConversations(context({ CONVERSATION_RETENTION_DAYS: 0 }));
      expect(result).to.deep.equal({ rows: 0, more: false });
      expect(await kept()).to.have.length(1);
    });

    it('leaves a conversation in which somebody is talking now', async () => {
      const [talking] = await record.addConversations(organization, { count: 2, daysAgo: 40 });
      await record.addSession(talking!, 5);
      expect(await purgeConversations(context())).to.deep.equal({ rows: 1, more: false });
      expect(await kept()).to.deep.equal([talking]);
    });

    it('leaves a conversation in which a question is open, or waits for somebody', async () => {
      const [open, waiting, answered] = await record.addConversations(organization, {
        ...{ count: 3, daysAgo: 40 },
      });
      const states = { open, waiting, answered };
      for (const [state, conversationId] of Object.entries(states))
        await record.owner.query(
          `insert into runs (id, organization_id, agent_id, conversation_id, state)
           select gen_random_uuid(), organization_id, agent_id, id, $2 from conversations where id = $1`,
          [conversationId, state],
        );
      expect(await purgeConversations(context())).to.deep.equal({ rows: 1, more: false });
      expect(await kept()).to.have.members([open, waiting]);
    });

    it('skips a conversation that is being written to, instead of waiting', async () => {
      const [busy] = await record.addConversations(organization, { count: 2, daysAgo: 40 });
      await record.owner.query('begin');
      await record.owner.query('select from conversations where id = $1 for key share', [busy]);
      expect(await purgeConversations(context())).to.deep.equal({ rows: 1, more: false });
      await record.owner.query('rollback');
      expect(await kept()).to.deep.equal([busy]);
    });

    it('takes one batch and says that there is more', async () => {
      await record.addConversations(organization, { count: 501, daysAgo: 40 });
      expect(await purgeConversations(context())).to.deep.equal({ rows: 500, more: true });
      expect(await purgeConversations(context())).to.deep.equal({ rows: 1, more: false });
    });

    it('deletes fewer at a time if PostgreSQL cannot delete so many in time', async () => {
      await record.addConversations(organization, { count: 40, daysAgo: 40 });
      await record.owner.query(`
        create function cancel() returns trigger language plpgsql as $$ begin
          if (select count(*) from gone) > 10 then raise query_canceled; end if;
          return null;
        end $$;
        create trigger cancelled after delete on conversations referencing old table as gone
          for each statement execute function cancel()`);
      const result = await purgeConversations(context());
      await record.owner.query('drop function cancel cascade');
      expect(result).to.deep.equal({ rows: 40, more: false });
      expect(await kept()).to.deep.equal([]);
      expect(
        await record.values(
          `select sum((after->>'count')::int)::int from audit_log where organization_id = $1`,
          [organization.id],
        ),
      ).to.deep.equal([40]);
    });

    it('deletes those of other organizations if one fails', async () => {
      const other = await record.newOrganization();
      for (const owner of [organization, other])
        await record.addConversations(owner, { count: 1, daysAgo: 31 });
      const failure = new Error('broken');
      expect(
        await purgeConversations({ ...context(), database: brokenFor(organization, failure) }),
      ).to.deep.equal({ rows: 1, more: false, failure });
      const owners = await record.values('select organization_id from conversations');
      expect(owners).to.deep.equal([organization.id]);
    });

    it('deletes each conversation once when many run together', async () => {
      await record.addConversations(organization, { count: 900, daysAgo: 40 });
      const runs = await Promise.all(
        Array.from({ length: 4 }, () => purgeConversations(context())),
      );
      const deleted = runs.reduce((sum, { rows }) => sum + rows, 0);
      expect(deleted + (await kept()).length).to.equal(900);
      const recorded = await record.values(
        `select sum((after->>'count')::int)::int from audit_log where organization_id = $1`,
        [organization.id],
      );
      expect(recorded).to.deep.equal([deleted]);
    });
  });

  describe('close-lost-sessions', () => {
    it('closes sessions past their longest life and a margin, at the time at which they were over', async () => {
      const [conversation] = await record.addConversations(organization, { count: 1, daysAgo: 0 });
      const lost = await record.addSession(conversation!, 1800 + 301);
      await record.addSession(conversation!, 1800 + 200);
      const ended = await record.addSession(conversation!, 9999);
      await record.owner.query(
        `update realtime_sessions set ended_at = started_at, end_reason = 'Normal' where id = $1`,
        [ended],
      );
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 1, more: false });
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 0, more: false });
      const { rows } = await record.owner.query(
        `select id, end_reason, extract(epoch from ended_at - started_at)::int as seconds
         from realtime_sessions where ended_at is not null and id <> $1`,
        [ended],
      );
      expect(rows).to.deep.equal([{ id: lost, end_reason: 'lost', seconds: 1800 }]);
      expect(
        await record.values('select end_reason from realtime_sessions where id = $1', [ended]),
      ).to.deep.equal(['Normal']);
    });

    it('closes sessions whose pod fell silent, with their calls, and tells the pod should it come back', async () => {
      const [silent, heard] = [
        await coordination.waitingCall(organization, 60_000),
        await coordination.waitingCall(organization, 60_000),
      ];
      const beat = () =>
        Promise.all(
          [silent, heard].map(({ live }) => coordination.liveSessions.beat(live.pod, [live])),
        );
      await beat();
      await coordination.fallSilent(silent.live);
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 1, more: false });
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 0, more: false });
      const { rows } = await record.owner.query(
        'select s.id, s.end_reason, c.approval, c.status from realtime_sessions s join tool_calls c on c.session_id = s.id',
      );
      expect(rows).to.have.deep.members([
        { id: silent.live.id, end_reason: 'lost', approval: 'cancelled', status: 2 },
        { id: heard.live.id, end_reason: null, approval: 'waiting', status: 3 },
      ]);
      expect((await beat()).flat()).to.deep.equal([silent.live.id]);
    });

    it('closes what it can if some of it fails', async () => {
      const [broken, silent] = [
        await coordination.waitingCall(await record.newOrganization(), 60_000),
        await coordination.waitingCall(organization, 60_000),
      ];
      const [conversation] = await record.addConversations(organization, { count: 1, daysAgo: 0 });
      const overaged = await record.addSession(conversation!, 1800 + 301);
      for (const { live } of [broken, silent]) {
        await coordination.liveSessions.beat(live.pod, [live]);
        await coordination.fallSilent(live);
      }
      const failure = new Error('broken');
      const database = brokenFor({ id: broken.live.organizationId }, failure);
      expect(await closeSessionsOfLostPods({ ...context(), database })).to.deep.equal({
        rows: 2,
        more: false,
        failure,
      });
      expect(
        await record.values('select id from realtime_sessions where ended_at is not null'),
      ).to.have.members([silent.live.id, overaged]);
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 1, more: false });
    });

    it('says of a call that was approved when its pod was gone already that it did not run', async () => {
      const { id, live } = await coordination.waitingCall(organization, 60_000);
      await coordination.liveSessions.beat(live.pod, [live]);
      await record.database.inOrganization(organization.id, (scope) =>
        decideToolCall(scope, id, { approval: 'approved', by: null }),
      );
      await coordination.fallSilent(live);
      await closeSessionsOfLostPods(context());
      const { rows } = await record.owner.query(
        'select approval, status, result, started_at from tool_calls where id = $1',
        [id],
      );
      const result = 'The session ended before the tool was run.';
      expect(rows).to.deep.equal([{ approval: 'approved', status: 2, result, started_at: null }]);
    });

    it('finishes calls that an ended session left open, once its pod had time to', async () => {
      const [old, fresh] = [
        await coordination.waitingCall(organization, 60_000),
        await coordination.waitingCall(organization, 60_000),
      ];
      const end = (id: string, secondsAgo: number) =>
        record.owner.query(
          `update realtime_sessions set ended_at = now() - make_interval(secs => $2), end_reason = 'Normal' where id = $1`,
          [id, secondsAgo],
        );
      await end(old.live.id, 31);
      await end(fresh.live.id, 1);
      expect(await closeSessionsOfLostPods(context())).to.deep.equal({ rows: 1, more: false });
      const finished = 'select id from tool_calls where finished_at is not null';
      expect(await record.values(finished)).to.deep.equal([old.id]);
    });
  });

  describe('sweep-approvals', () => {
    const states = () =>
      record.values(`select approval || ' ' || status from tool_calls order by created_at`);

    it('expires what is due, and nothing else', async () => {
      for (const timeoutMs of [-1, -1, 60_000])
        await coordination.waitingCall(organization, timeoutMs);
      expect(await sweepApprovals(context())).to.deep.equal({ rows: 2, more: false });
      expect(await sweepApprovals(context())).to.deep.equal({ rows: 0, more: false });
      expect(await states()).to.deep.equal(['expired 2', 'expired 2', 'waiting 3']);
    });
  });
});
