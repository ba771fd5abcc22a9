import { Type, type Static } from '@sinclair/typebox';
import { roleNames } from '../roles.js';
import { Email } from './account.js';
import { Page } from './page.js';
import { DateTime, OneOf, Uuid } from './text.js';

const role = OneOf(roleNames, { description: 'What they may do in the organization.' });

export const MemberInput = Type.Object(
  {
    email: Email({ description: 'The account with this address, or a new one.' }),
    name: Type.Optional(
      Type.String({
        maxLength: 200,
        default: '',
        description: 'Of a new account; one that exists keeps its own.',
      }),
    ),
    role,
  },
  { additionalProperties: false },
);
export type MemberInput = Static<typeof MemberInput>;

export const MemberPatch = Type.Object({ role }, { additionalProperties: false });
export type MemberPatch = Static<typeof MemberPatch>;

const shown = {
  id: Uuid({ description: 'Of the membership.' }),
  userId: Uuid({ description: 'Of the account; the audit log names it.' }),
  email: Type.String(),
  name: Type.String(),
  role: OneOf(roleNames),
  createdAt: DateTime(),
};

export const Member = Type.Object(shown, { additionalProperties: false });
export type Member = Static<typeof Member>;

export const MemberPage = Page(Member);

export const SignInLink = Type.Object(
  {
    signInPath: Type.String({
      description:
        'Signs the member in once, to this organization. Append it to the address of the deployment, and hand it over.',
    }),
    expiresAt: DateTime(),
  },
  { additionalProperties: false },
);
export type SignInLink = Static<typeof SignInLink>;

export const NewMember = Type.Object(
  { ...shown, signInLink: SignInLink },
  { additionalProperties: false },
);
export type NewMember = Static<typeof NewMember>;
