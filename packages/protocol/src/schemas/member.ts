import { Type, type Static } from '@sinclair/typebox';
import { roleNames } from '../roles.js';
import { Email } from './account.js';
import { Page } from './page.js';
import { DateTime, OneOf, Uuid } from './text.js';

const role = OneOf(roleNames, { description: 'What they may do in the organization.' });

export const MemberInput = Type.Object(
  {
    email: Email({ description: 'Email address of an existing account, or of a new one.' }),
    name: Type.Optional(
      Type.String({
        maxLength: 200,
        default: '',
        description: 'Name of a new account; an existing account keeps its name.',
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
  id: Uuid({ description: 'Id of the membership.' }),
  userId: Uuid({ description: 'Id of the account, as in the audit log.' }),
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
        'Signs the member in once, to this organization. Append it to the address of the deployment, and pass it on.',
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
