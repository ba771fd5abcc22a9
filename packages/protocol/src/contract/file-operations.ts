import { PageQuery } from '../schemas/page.js';
import { fileMediaTypes, TemporaryFile, TemporaryFilePage } from '../schemas/temporary-file.js';
import type { Operation } from './operation.js';

export const fileOperations = {
  listTemporaryFiles: {
    method: 'get',
    path: '/TemporaryFile',
    tag: 'TemporaryFile',
    summary: 'List temporary files, oldest first',
    description: 'A page of the files that have not expired; their content is not in it.',
    scope: 'files',
    query: PageQuery,
    success: { status: 200, schema: TemporaryFilePage },
    problems: [],
  },
  uploadTemporaryFile: {
    method: 'post',
    path: '/TemporaryFile',
    tag: 'TemporaryFile',
    summary: 'Upload a file whose text an agent can be given',
    description:
      'The file is kept for a while. Name its id in `fileIds` of a question or of a realtime session.',
    scope: 'files',
    upload: {
      field: 'file',
      description:
        'Plain text, Markdown, CSV or JSON in UTF-8, or a PDF with text in it. The content decides.',
      example: 'Opening hours: 9 to 5.',
    },
    success: { status: 201, schema: TemporaryFile },
    problems: ['quota-reached', 'file-type-unsupported'],
  },
  getTemporaryFile: {
    method: 'get',
    path: '/TemporaryFile/{fileId}',
    tag: 'TemporaryFile',
    summary: 'Read what is known of a temporary file',
    description: 'Its name, its kind as found in its content, and how long it is kept.',
    scope: 'files',
    success: { status: 200, schema: TemporaryFile },
    problems: [],
  },
  downloadTemporaryFile: {
    method: 'get',
    path: '/TemporaryFile/{fileId}/content',
    tag: 'TemporaryFile',
    summary: 'Download a temporary file as it was uploaded',
    description: 'As an attachment, with the media type that was found in the content.',
    scope: 'files',
    success: { status: 200, download: fileMediaTypes },
    problems: [],
  },
  deleteTemporaryFile: {
    method: 'delete',
    path: '/TemporaryFile/{fileId}',
    tag: 'TemporaryFile',
    summary: 'Delete a temporary file before it expires',
    description: 'No agent is given its text any more.',
    scope: 'files',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
