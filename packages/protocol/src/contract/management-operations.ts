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

/** Access to an organization: only its owners can see and change it. */
export const managementOperations = {
  listApiKeys: {
    ...keys,
    method: 'get',
    path: '/ApiKey',
    summary: 'List API keys, oldest first',
    description:
      'Returns a page of keys, including revoked ones. The keys themselves are not stored.',
    query: PageQuery,
    success: { status: 200, schema: ApiKeyPage },
    problems: ['query-invalid'],
  },
  createApiKey: {
    ...keys,
    method: 'post',
    path: '/ApiKey',
    summary: 'Create an API key; the response contains it, and it is shown only once',
    description:
      'Without `scopes`, it has all scopes except `admin`. Give each system its own key.',
    body: ApiKeyInput,
    success: { status: 201, schema: NewApiKey },
    problems: [],
  },
  updateApiKey: {
    ...keys,
    method: 'patch',
    path: '/ApiKey/{keyId}',
    summary: 'Change the name, the scopes or the expiry of an API key',
    description: 'The change applies from the next request. A revoked key cannot be changed.',
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
      'Requests with it are refused from now on, and everything it opened ends within seconds. It stays in the list. This cannot be undone.',
    success: { status: 204 },
    problems: [],
  },
  listMembers: {
    ...members,
    method: 'get',
    path: '/Member',
    summary: 'List members, oldest first',
    description:
      'Returns a page of the people who can sign in to the organization, with their roles.',
    query: PageQuery,
    success: { status: 200, schema: MemberPage },
    problems: ['query-invalid'],
  },
  createMember: {
    ...members,
    method: 'post',
    path: '/Member',
    summary:
      'Add a person by email address; the response contains a sign-in link, which is shown only once',
    description:
      'No email is sent: pass the link on yourself. It works once, within 10 minutes, and only for this organization. If the person is already a member, the response is 409.',
    body: MemberInput,
    success: { status: 201, schema: NewMember },
    problems: ['conflict'],
  },
  updateMember: {
    ...members,
    method: 'patch',
    path: '/Member/{memberId}',
    summary: 'Change a member’s role',
    description:
      'The change applies from their next request. Changing the role of the last owner fails with 409.',
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
      'Their next request is refused, and everything they opened ends within seconds. Removing the last owner fails with 409.',
    success: { status: 204 },
    problems: ['conflict'],
  },
  createSignInLink: {
    ...members,
    method: 'post',
    path: '/Member/{memberId}/sign-in-link',
    summary: 'Create a sign-in link for a member; it is shown only once',
    description:
      'For members who lost their link, or have no password. It works once, within 10 minutes, and only for this organization.',
    success: { status: 200, schema: SignInLink },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
