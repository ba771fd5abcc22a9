import {
  chainStart,
  nextOrganizationId,
  verifyNext,
  type AuditVerdict,
  type ChainPosition,
} from '@parley/database';
import type { AuditState, AuditWalk } from '@parley/session-store';
import type { JobContext, JobResult } from '../job.js';

const dayMs = 86_400_000;
/** Transactions per run, each of at most 500 records. */
const stepsPerRun = 50;

type Verifier = Pick<JobContext, 'database' | 'auditWatch' | 'logger'>;

/**
 * One part of the pass over the audit logs of all organizations, which starts again every day. Its
 * position is in Redis: any worker continues, and what a failed run had not stored is verified
 * again.
 */
export async function verifyAuditLogs(context: Verifier): Promise<JobResult> {
  const { auditWatch } = context;
  const read = await auditWatch.read();
  const now = Date.now();
  const due = !read.verified || now - read.verified.startedAt >= dayMs;
  let walk = read.walk ?? (due ? newWalk(now) : null);
  if (!walk) return { rows: 0, more: false };
  for (let step = 0; step < stepsPerRun; step += 1) {
    const next = await advance(context, walk);
    if (next === 'ended') return end(context, read, walk);
    walk = next;
  }
  return { rows: 0, more: await auditWatch.replace(read, { ...read, walk }) };
}

function newWalk(startedAt: number): AuditWalk {
  return { startedAt, after: null, at: null, organizations: 0, broken: 0 };
}

async function advance(context: Verifier, walk: AuditWalk): Promise<AuditWalk | 'ended'> {
  const { database } = context;
  const organizationId =
    walk.at?.organizationId ??
    (await database.asSystem((system) => nextOrganizationId(system, walk.after)));
  if (organizationId === undefined) return 'ended';
  const from = positionOf(walk);
  const step = await database.asSystem((system) => verifyNext(system, organizationId, from));
  if (!step.done) {
    const { hash, ...position } = step.position;
    return { ...walk, at: { organizationId, ...position, hash: hash.toString('hex') } };
  }
  const isBroken = report(context, organizationId, step.verdict);
  return {
    ...walk,
    after: organizationId,
    at: null,
    organizations: walk.organizations + 1,
    broken: walk.broken + (isBroken ? 1 : 0),
  };
}

function positionOf({ at }: AuditWalk): ChainPosition {
  if (!at) return chainStart;
  return { sequence: at.sequence, hash: Buffer.from(at.hash, 'hex'), promised: at.promised };
}

/**
 * Whether to raise an alarm. The log of a deleted organization is kept and verified like any other.
 */
function report(
  { logger }: Pick<Verifier, 'logger'>,
  organizationId: string,
  verdict: AuditVerdict,
): boolean {
  if (verdict.ok) return false;
  const { sequence, reason } = verdict;
  logger.error({ organizationId, sequence, reason }, 'audit log broken');
  return true;
}

async function end(
  { auditWatch, logger }: Verifier,
  read: AuditState,
  { startedAt, organizations, broken }: AuditWalk,
): Promise<JobResult> {
  const endedAt = Date.now();
  const verified = { startedAt, endedAt, broken };
  if (await auditWatch.replace(read, { walk: null, verified }))
    logger.info(
      { organizations, broken, seconds: (endedAt - startedAt) / 1000 },
      'audit logs verified',
    );
  return { rows: 0, more: false };
}
