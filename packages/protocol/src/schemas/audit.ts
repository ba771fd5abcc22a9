import { Type, type Static } from '@sinclair/typebox';
import { Page, PageQuery } from './page.js';
import { DateTime, Name, Nullable, OneOf, Uuid } from './text.js';

const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });
const State = (description: string) =>
  Nullable(Type.Record(Type.String(), Type.Unknown()), { description });

export const AuditRecord = Type.Object(
  {
    sequence: Type.Integer({
      minimum: 1,
      description: 'Position in the organization’s log: no gaps, never reused.',
    }),
    occurredAt: DateTime(),
    actor: Type.Object(
      {
        kind: Type.String({ description: 'key, user, session, agent, administrator or system.' }),
        id: Type.Optional(
          Type.String({ description: 'Id of the API key, the user, the session or the agent.' }),
        ),
        name: Type.String(),
      },
      { additionalProperties: false },
    ),
    action: Type.String({ examples: ['agent.updated'] }),
    resourceType: Type.String(),
    resourceId: Nullable(Uuid()),
    before: State('The resource before the change; null where there was none.'),
    after: State('The resource after the change, or what was done; null where nothing is left.'),
    previousHash: Hash('Hash of the record before this one.'),
    hash: Hash('SHA-256 over the previous hash and this record.'),
  },
  { additionalProperties: false },
);
export type AuditRecord = Static<typeof AuditRecord>;

export const AuditPage = Page(AuditRecord);

export const AuditVerification = Type.Object(
  {
    intact: Type.Boolean({
      description: 'Whether every record is unchanged and in its position.',
    }),
    records: Type.Integer({
      minimum: 0,
      description: 'Number of intact records, counted from the first.',
    }),
    brokenAt: Nullable(Type.Integer({ minimum: 0 }), {
      description: 'Sequence of the first record that was tampered with; null if there is none.',
    }),
    reason: Nullable(Type.String(), { description: 'What is wrong with it.' }),
    checkedAt: DateTime(),
  },
  { additionalProperties: false },
);
export type AuditVerification = Static<typeof AuditVerification>;

const filters = {
  From: Type.Optional(DateTime({ description: 'Only records at or after this time.' })),
  To: Type.Optional(DateTime({ description: 'Only records before this time.' })),
  Actor: Type.Optional(Name(200, { description: 'Id or name of who made the change.' })),
  Action: Type.Optional(Name(100, { description: 'For example agent.updated.' })),
};

export const AuditQuery = Type.Object(
  { ...filters, ...PageQuery.properties },
  { additionalProperties: false },
);

export const auditFormats = ['jsonl', 'csv'] as const;
export type AuditFormat = (typeof auditFormats)[number];

export const AuditExportQuery = Type.Object(
  {
    Format: Type.Optional(OneOf(auditFormats, { default: 'jsonl' })),
    After: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description:
          'Only records with a higher sequence: that of the last record you have, to resume after an interruption, or Audit-Through of your last export.',
      }),
    ),
    ...filters,
  },
  { additionalProperties: false },
);
