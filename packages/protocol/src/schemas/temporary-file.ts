import { Type, type Static } from '@sinclair/typebox';
import { Page } from './page.js';
import { DateTime, OneOf, Uuid } from './text.js';

/** The accepted types, whatever the file's name or its sender claims. */
export const fileMediaTypes = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/pdf',
] as const;
export type FileMediaType = (typeof fileMediaTypes)[number];

/** Maximum characters of a file name, and of the stored text of a file. */
export const fileLimits = { nameLength: 255, textLength: 1_000_000, perRequest: 10 } as const;

export const TemporaryFile = Type.Object(
  {
    id: Uuid(),
    name: Type.String({ maxLength: fileLimits.nameLength }),
    mediaType: OneOf(fileMediaTypes, { description: 'The type detected from the content.' }),
    sizeBytes: Type.Integer({ minimum: 1 }),
    characters: Type.Integer({
      minimum: 1,
      description: 'Length of the file’s text that agents can read.',
    }),
    textTruncated: Type.Boolean({
      description: `Whether the file has more text than the ${fileLimits.textLength} characters that are stored.`,
    }),
    createdAt: DateTime(),
    expiresAt: DateTime({ description: 'When the file is deleted.' }),
  },
  { additionalProperties: false },
);
export type TemporaryFile = Static<typeof TemporaryFile>;

export const TemporaryFilePage = Page(TemporaryFile);

/** Files whose text an agent gets as context. */
export const FileIds = Type.Array(Uuid(), {
  maxItems: fileLimits.perRequest,
  uniqueItems: true,
  default: [],
  description: 'Temporary files whose text the agent gets as context.',
});
