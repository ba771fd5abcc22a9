import {
  appendAudit,
  deleteMember,
  findMemberByEmail,
  hashPassword,
  insertMember,
  issueSignInLink,
  listMembers,
  obtainUser,
  setPassword,
  signInUrl,
  updateMember,
  type MemberRecord,
  type OrganizationScope,
  type SystemScope,
} from '@parley/database';
import { isRole, roleNames, type auditActions, type Role } from '@parley/protocol';
import { administrator, type Answer, type Command, type Input } from './command.js';
import { organizationOf, required } from './options.js';
import { UsageError } from './usage.js';

export const userCommands = {
  'user create': {
    usage: 'user create --org ID --email EMAIL [--name NAME] [--role ROLE]',
    doc: `Add a member to an organization. Roles: ${roleNames.join(', ')}. The default is viewer.`,
    options: ['org', 'email', 'name', 'role'],
    run: createUser,
  },
  'user list': {
    usage: 'user list --org ID',
    doc: 'List an organization’s members.',
    options: ['org'],
    run: listUsers,
  },
  'user role': {
    usage: 'user role --org ID --email EMAIL --role ROLE',
    doc: 'Change a member’s role, effective immediately.',
    options: ['org', 'email', 'role'],
    run: changeRole,
  },
  'user sign-in-link': {
    usage: 'user sign-in-link --org ID --email EMAIL [--role ROLE]',
    doc: 'Create a link that signs a member in once, within 10 minutes. With --role, adds the member if necessary.',
    options: ['org', 'email', 'role'],
    run: makeLink,
  },
  'user password': {
    usage: 'user password --org ID --email EMAIL',
    doc: 'Set a member’s password, read from the first line of standard input. Their sessions end.',
    options: ['org', 'email'],
    run: changePassword,
  },
  'user remove': {
    usage: 'user remove --org ID --email EMAIL',
    doc: 'Remove a user from an organization immediately. This cannot be undone.',
    options: ['org', 'email'],
    confirm: ({ options }) => Promise.resolve(`Remove the user ${required(options, 'email')}?`),
    run: removeUser,
  },
} as const satisfies Record<string, Command>;

const shortestPassword = 12;

async function createUser(input: Input): Promise<Answer> {
  const { role = 'viewer' } = input.options;
  const fields = { name: input.options['name']?.trim() ?? '', role: roleOf(role) };
  const member = await inOrganization(input, (scope, email) =>
    addMember(scope, { email, ...fields }),
  );
  return {
    json: member,
    rows: [member],
    note: 'To create a sign-in link for them, run: user sign-in-link',
  };
}

async function listUsers({ database, options }: Input): Promise<Answer> {
  const organizationId = await organizationOf(database, options);
  const { items } = await database.inOrganization(organizationId, (scope) =>
    listMembers(scope, { offset: 0, limit: 100_000 }),
  );
  return { json: { users: items }, rows: items };
}

async function changeRole(input: Input): Promise<Answer> {
  const role = roleOf(required(input.options, 'role'));
  const member = await inOrganization(input, async (scope, email) => {
    const before = await memberOf(scope, email);
    await updateMember(scope, { id: before.id, role });
    const after = { ...before, role };
    await record(scope, 'updated', { before, after });
    return after;
  });
  return { json: member, rows: [member] };
}

async function makeLink(input: Input): Promise<Answer> {
  const { role } = input.options;
  const { member, link } = await inOrganization(input, async (scope, email) => {
    const found =
      (await findMemberByEmail(scope, email)) ??
      (role === undefined
        ? undefined
        : await addMember(scope, { email, name: '', role: roleOf(role) }));
    if (!found)
      throw new UsageError(`The organization has no user ${email}. Add --role to create one.`);
    await record(scope, 'linkIssued', { after: found });
    return { member: found, link: await issueSignInLink(scope, found.id) };
  });
  const url = signInUrl(input.publicUrl, link);
  const { expiresAt } = link;
  return {
    json: { ...member, url, expiresAt },
    rows: [member],
    note: `Sign-in link, valid once until ${expiresAt.toISOString()}:\n${url}`,
  };
}

async function changePassword(input: Input): Promise<Answer> {
  const password = await input.readLine();
  if (password.length < shortestPassword || password.length > 1000)
    throw new UsageError(`The password must have ${shortestPassword} to 1000 characters.`);
  const passwordHash = await hashPassword(password);
  const member = await inOrganization(input, async (scope, email) => {
    const found = await memberOf(scope, email);
    await setPassword(scope, { id: found.userId, passwordHash });
    await record(scope, 'passwordSet', { after: found });
    return found;
  });
  return { json: member, rows: [member], note: 'The password is set.' };
}

async function removeUser(input: Input): Promise<Answer> {
  const member = await inOrganization(input, async (scope, email) => {
    const before = await memberOf(scope, email);
    await deleteMember(scope, before.id);
    await record(scope, 'deleted', { before });
    return before;
  });
  return { json: member, rows: [member] };
}

type Scope = OrganizationScope & SystemScope;

/** As the administrator, who can see accounts that are not members yet. */
async function inOrganization<T>(
  { database, options }: Input,
  work: (scope: Scope, email: string) => Promise<T>,
): Promise<T> {
  const organizationId = await organizationOf(database, options);
  const email = required(options, 'email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new UsageError(`${email} is not an email address.`);
  return database.asSystem(({ trx }) => work({ organizationId, trx }, email));
}

async function addMember(
  scope: Scope,
  { email, name, role }: { email: string; name: string; role: Role },
): Promise<MemberRecord> {
  const userId = await obtainUser(scope, { email, name });
  if ((await insertMember(scope, { userId, role })) === undefined)
    throw new UsageError(`User ${email} already exists.`);
  const made = await memberOf(scope, email);
  await record(scope, 'created', { after: made });
  return made;
}

async function memberOf(scope: Scope, email: string): Promise<MemberRecord> {
  const found = await findMemberByEmail(scope, email);
  if (!found) throw new UsageError(`The organization has no user ${email}.`);
  return found;
}

async function record(
  scope: Scope,
  change: (typeof auditActions.member)[number],
  states: { before?: MemberRecord; after?: MemberRecord },
): Promise<void> {
  await appendAudit(scope, {
    actor: administrator,
    action: `member.${change}`,
    resourceType: 'member',
    resourceId: (states.after ?? states.before)?.id ?? null,
    ...states,
  });
}

function roleOf(text: string): Role {
  const role = text.trim();
  if (!isRole(role))
    throw new UsageError(`'${role}' is not a role. Choose from ${roleNames.join(', ')}.`);
  return role;
}
