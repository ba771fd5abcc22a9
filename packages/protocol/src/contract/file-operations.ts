import { PageQuery } from '../schemas/page.js';
import { fileMediaTypes, TemporaryFile, TemporaryFilePage } from '../schemas/temporary-file.js';
import type { Operation } from './operation.js';

export const fileOperations = {
  listTemporaryFiles: {
    method: 'get',
    path: '/TemporaryFile',
    tag: 'TemporaryFile',
    summary: 'List temporary files, oldest first',
    description: 'Returns a page of the files that have not expired, without their content.',
    scope: 'files',
    query: PageQuery,
    success: { status: 200, schema: TemporaryFilePage },
    problems: [],
  },
  uploadTemporaryFile: {
    method: 'post',
    path: '/TemporaryFile',
    tag: 'TemporaryFile',
    summary: 'Upload a file for agents to read',
    description:
      'The file is stored temporarily. Reference its id in `fileIds` of a question or a realtime session.',
    scope: 'files',
    upload: {
      field: 'file',
      description:
        'Plain text, Markdown, CSV or JSON in UTF-8, or a PDF with text in it. The type is detected from the content.',
      example: 'Opening hours: 9 to 5.',
    },
    success: { status: 201, schema: TemporaryFile },
    problems: ['quota-reached', 'file-type-unsupported'],
  },
  getTemporaryFile: {
    method: 'get',
    path: '/TemporaryFile/{fileId}',
    tag: 'TemporaryFile',
    summary: 'Read the metadata of a temporary file',
    description: 'Its name, its type as detected from its content, and when it expires.',
    scope: 'files',
    success: { status: 200, schema: TemporaryFile },
    problems: [],
  },
  downloadTemporaryFile: {
    method: 'get',
    path: '/TemporaryFile/{fileId}/content',
    tag: 'TemporaryFile',
    summary: 'Download a temporary file as it was uploaded',
    description: 'As an attachment, with the media type detected from its content.',
    scope: 'files',
    success: { status: 200, download: fileMediaTypes },
    problems: [],
  },
  deleteTemporaryFile: {
    method: 'delete',
    path: '/TemporaryFile/{fileId}',
    tag: 'TemporaryFile',
    summary: 'Delete a temporary file before it expires',
    description: 'Agents no longer get its text.',
    scope: 'files',
    success: { status: 204 },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
