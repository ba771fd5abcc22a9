import type { Static, TSchema } from '@sinclair/typebox';
import { Me, SignInInput, SignInWays } from '../schemas/account.js';
import { ApiKey, ApiKeyInput, ApiKeyPatch, NewApiKey } from '../schemas/api-key.js';
import { Member, MemberInput, MemberPatch, NewMember, SignInLink } from '../schemas/member.js';

export const accountIds = {
  organization: '0a9b8c7d-6e5f-4a3b-8c1d-2e3f4a5b6c7d',
  user: '1b2c3d4e-5f60-4718-a293-b4c5d6e7f801',
  key: '2c3d4e5f-6071-4829-b3a4-c5d6e7f80912',
  member: '3d4e5f60-7182-493a-84b5-d6e7f8091a23',
} as const;
const at = '2030-01-31T16:00:00.000Z';
const later = '2030-01-31T16:05:00.000Z';

export const sessionTokenExample = 'Zm9yIG9uZSB1c2Ugb25seSwgYW5kIG5vdCBmb3IgbG9';

const apiKey: Static<typeof ApiKey> = {
  id: accountIds.key,
  name: 'Nightly export',
  masked: 'parley_live_…a1b2',
  scopes: ['conversations', 'audit'],
  createdAt: at,
  expiresAt: null,
  lastUsedAt: later,
  revokedAt: null,
};
const member: Static<typeof Member> = {
  id: accountIds.member,
  userId: accountIds.user,
  email: 'ada@example.com',
  name: 'Ada',
  role: 'approver',
  createdAt: at,
};
const signInLink: Static<typeof SignInLink> = {
  signInPath: `/console/#sign-in=${sessionTokenExample}`,
  expiresAt: later,
};

/** For access to an organization, and signing in. */
export const accountExamples = [
  of(ApiKeyInput, { name: 'Nightly export', scopes: ['conversations', 'audit'], expiresAt: at }),
  of(ApiKeyPatch, { scopes: ['audit'] }),
  of(ApiKey, apiKey),
  of(NewApiKey, { ...apiKey, apiKey: 'parley_live_shownOnce' }),
  of(MemberInput, { email: 'ada@example.com', name: 'Ada', role: 'approver' }),
  of(MemberPatch, { role: 'editor' }),
  of(Member, member),
  of(NewMember, { ...member, signInLink }),
  of(SignInLink, signInLink),
  of(SignInWays, { password: true, oidc: false }),
  of(SignInInput, { token: sessionTokenExample }),
  of(Me, {
    user: { id: accountIds.user, email: 'ada@example.com', name: 'Ada' },
    organizations: [{ id: accountIds.organization, name: 'Dental practice', role: 'owner' }],
    csrfToken: 'bm90IHRoZSBjb29raWUsIGFuZCBkZXJpdmVkIGZyb20',
  }),
];

function of<S extends TSchema>(schema: S, value: Static<S>): [TSchema, unknown] {
  return [schema, value];
}
