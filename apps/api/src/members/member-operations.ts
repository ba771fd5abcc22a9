import {
  appendAudit,
  deleteMember,
  findMember,
  insertMember,
  issueSignInLink,
  listMembers,
  lockOwners,
  obtainUser,
  signInUrl,
  updateMember,
  violatedConstraint,
  type Database,
  type MemberRecord,
  type OrganizationScope,
} from '@parley/database';
import {
  Problem,
  type Member,
  type MemberInput,
  type NewMember,
  type Role,
  type SignInLink,
} from '@parley/protocol';
import type { Caller, Handlers, Target } from '../http/call.js';
import { found } from '../http/found.js';
import { pageOf } from '../http/query.js';

type MemberHandlers = Pick<
  Handlers,
  'listMembers' | 'createMember' | 'updateMember' | 'deleteMember' | 'createSignInLink'
>;

type Work = { scope: OrganizationScope; caller: Caller };

export function memberOperations(database: Database): MemberHandlers {
  const change = <T>(caller: Caller, work: (work: Work) => Promise<T>) =>
    database.inOrganization(caller.organizationId, (scope) => work({ scope, caller }));
  const visible = ({ caller, params }: Target<'updateMember'>) =>
    change(caller, async ({ scope }) => (await findMember(scope, params.memberId)) !== undefined);
  return {
    listMembers: {
      run: ({ caller, query }) =>
        database.inSnapshot(caller.organizationId, async (scope) => {
          const page = pageOf(query);
          const { items, total } = await listMembers(scope, page);
          return { items: items.map(memberView), total, ...page };
        }),
    },
    createMember: {
      // Accounts are above organizations. An account without a membership can do nothing.
      run: async ({ caller, body, commit }) => {
        const { email, name = '' } = body;
        const userId = await database.asSystem((system) => obtainUser(system, { email, name }));
        return commit((scope) => create({ scope, caller }, body, userId)).catch(removedMeanwhile);
      },
    },
    updateMember: {
      visible,
      run: ({ caller, params, body }) =>
        change(caller, (work) => update(work, params.memberId, body.role)),
    },
    deleteMember: {
      run: ({ caller, params }) => change(caller, (work) => remove(work, params.memberId)),
    },
    createSignInLink: {
      run: ({ caller, params, commit }) =>
        commit(async (scope) => {
          const member = memberView(found(await findMember(scope, params.memberId)));
          await audit({ scope, caller }, 'linkIssued', { after: member });
          return newLink(scope, member.id);
        }),
    },
  };
}

async function create(
  work: Work,
  { email, role }: MemberInput,
  userId: string,
): Promise<NewMember> {
  const id = await insertMember(work.scope, { userId, role });
  if (id === undefined) throw new Problem('conflict', `${email} is already a member.`);
  const after = memberView(found(await findMember(work.scope, id)));
  await audit(work, 'created', { after });
  return { ...after, signInLink: await newLink(work.scope, id) };
}

async function update(work: Work, id: string, role: Role): Promise<Member> {
  const owners = await lockOwners(work.scope);
  const before = memberView(found(await findMember(work.scope, id)));
  if (role !== 'owner') requireAnotherOwner(owners, id);
  await updateMember(work.scope, { id, role });
  const after = { ...before, role };
  await audit(work, 'updated', { before, after });
  return after;
}

async function remove(work: Work, id: string): Promise<undefined> {
  const owners = await lockOwners(work.scope);
  const before = memberView(found(await findMember(work.scope, id)));
  requireAnotherOwner(owners, id);
  await deleteMember(work.scope, id);
  await audit(work, 'deleted', { before });
  return undefined;
}

function requireAnotherOwner(owners: ReadonlySet<string>, id: string): void {
  if (owners.has(id) && owners.size === 1)
    throw new Problem('conflict', 'This is the last owner. Make somebody else an owner first.');
}

async function newLink(scope: OrganizationScope, memberId: string): Promise<SignInLink> {
  const link = await issueSignInLink(scope, memberId);
  return { signInPath: signInUrl('', link), expiresAt: link.expiresAt.toISOString() };
}

/** The account existed, but was deleted with its last membership before it got this one. */
function removedMeanwhile(error: unknown): never {
  if (violatedConstraint(error) !== 'members_user_id_fkey') throw error;
  throw new Problem('conflict', 'The account is being removed elsewhere. Try again.');
}

function memberView({ createdAt, ...record }: MemberRecord): Member {
  return { ...record, createdAt: createdAt.toISOString() };
}

async function audit(
  { scope, caller }: Work,
  change: 'created' | 'updated' | 'deleted' | 'linkIssued',
  states: { before?: Member; after?: Member },
): Promise<void> {
  await appendAudit(scope, {
    actor: caller.actor,
    action: `member.${change}`,
    resourceType: 'member',
    resourceId: (states.after ?? states.before)?.id ?? null,
    ...states,
  });
}
