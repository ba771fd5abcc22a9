import { Type, type Static } from '@sinclair/typebox';
import { Page } from './page.js';
import { DateTime, OneOf, Uuid } from './text.js';

/** What a temporary file may be, whatever its name or its sender says. */
export const fileMediaTypes = [
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'application/pdf',
] as const;
export type FileMediaType = (typeof fileMediaTypes)[number];

/** Characters of a file name, and of the text that is kept of a file. */
export const fileLimits = { nameLength: 255, textLength: 1_000_000, perRequest: 10 } as const;

export const TemporaryFile = Type.Object(
  {
    id: Uuid(),
    name: Type.String({ maxLength: fileLimits.nameLength }),
    mediaType: OneOf(fileMediaTypes, { description: 'What the content is found to be.' }),
    sizeBytes: Type.Integer({ minimum: 1 }),
    characters: Type.Integer({
      minimum: 1,
      description: 'Length of the text that agents can be given of the file.',
    }),
    textTruncated: Type.Boolean({
      description: `Whether the file has more text than the ${fileLimits.textLength} characters that are kept.`,
    }),
    createdAt: DateTime(),
    expiresAt: DateTime({ description: 'When the file is deleted.' }),
  },
  { additionalProperties: false },
);
export type TemporaryFile = Static<typeof TemporaryFile>;

export const TemporaryFilePage = Page(TemporaryFile);

/** Files whose text an agent is given as context. */
export const FileIds = Type.Array(Uuid(), {
  maxItems: fileLimits.perRequest,
  uniqueItems: true,
  default: [],
  description: 'Temporary files whose text the agent is given as context.',
});
