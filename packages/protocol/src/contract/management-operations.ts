import { ApiKey, ApiKeyInput, ApiKeyPage, ApiKeyPatch, NewApiKey } from '../schemas/api-key.js';
import {
  Member,
  MemberInput,
  MemberPage,
  MemberPatch,
  NewMember,
  SignInLink,
} from '../schemas/member.js';
import { PageQuery } from '../schemas/page.js';
import type { Operation } from './operation.js';

const keys = { tag: 'ApiKey', scope: 'admin', role: 'owner' } as const;
const members = { tag: 'Member', scope: 'admin', role: 'owner' } as const;

/** Who may act for an organization: its owners alone see and change it. */
export const managementOperations = {
  listApiKeys: {
    ...keys,
    method: 'get',
    path: '/ApiKey',
    summary: 'List API keys, oldest first',
    description: 'A page of keys, revoked ones included. The keys themselves are not stored.',
    query: PageQuery,
    success: { status: 200, schema: ApiKeyPage },
    problems: ['query-invalid'],
  },
  createApiKey: {
    ...keys,
    method: 'post',
    path: '/ApiKey',
    summary: 'Create an API key; the answer holds it, and it is shown once',
    description:
      'Without `scopes` it has all of them but `admin`. Give each system a key of its own.',
    body: ApiKeyInput,
    success: { status: 201, schema: NewApiKey },
    problems: [],
  },
  updateApiKey: {
    ...keys,
    method: 'patch',
    path: '/ApiKey/{keyId}',
    summary: 'Change the name, the scopes or the expiry of an API key',
    description: 'It counts from the next request on. A key that was revoked stays as it is.',
    body: ApiKeyPatch,
    success: { status: 200, schema: ApiKey },
    problems: ['conflict'],
  },
  deleteApiKey: {
    ...keys,
    method: 'delete',
    path: '/ApiKey/{keyId}',
    summary: 'Revoke an API key',
    description:
      'Requests with it are refused from then on, and what it opened ends within seconds. It stays in the list. This cannot be undone.',
    success: { status: 204 },
    problems: [],
  },
  listMembers: {
    ...members,
    method: 'get',
    path: '/Member',
    summary: 'List members, oldest first',
    description: 'A page of the people who may sign in to the organization, with their roles.',
    query: PageQuery,
    success: { status: 200, schema: MemberPage },
    problems: ['query-invalid'],
  },
  createMember: {
    ...members,
    method: 'post',
    path: '/Member',
    summary: 'Add a person by e-mail address; the answer holds a sign-in link, which is shown once',
    description:
      'No mail is sent: hand the link over. It works once, within 10 minutes, and in this organization alone. Who is a member already is 409.',
    body: MemberInput,
    success: { status: 201, schema: NewMember },
    problems: ['conflict'],
  },
  updateMember: {
    ...members,
    method: 'patch',
    path: '/Member/{memberId}',
    summary: 'Change a member’s role',
    description: 'It counts from their next request on. The last owner stays one: 409.',
    body: MemberPatch,
    success: { status: 200, schema: Member },
    problems: ['conflict'],
  },
  deleteMember: {
    ...members,
    method: 'delete',
    path: '/Member/{memberId}',
    summary: 'Remove a member',
    description:
      'Their next request is refused, and what they opened ends within seconds. The last owner cannot be removed: 409.',
    success: { status: 204 },
    problems: ['conflict'],
  },
  createSignInLink: {
    ...members,
    method: 'post',
    path: '/Member/{memberId}/sign-in-link',
    summary: 'Make a sign-in link for a member; it is shown once',
    description:
      'For whoever lost theirs, or has no password. It works once, within 10 minutes, and in this organization alone.',
    success: { status: 200, schema: SignInLink },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
