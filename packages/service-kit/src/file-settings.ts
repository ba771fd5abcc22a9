import type { Setting } from './setting.js';
import { front, httpBase, onOff, rest, text } from './setting-shapes.js';

/** The apps that write, read or delete the bytes of files. */
const keepers = [...rest, 'worker'] as const;

/** The rows of the settings table for temporary files. */
export const fileSettings = {
  TEMPORARY_FILE_MAX_BYTES: {
    kind: 'integer',
    min: 1024,
    max: 104_857_600,
    default: 20_971_520,
    apps: rest,
    doc: 'Maximum size of an uploaded file.',
  },
  TEMPORARY_FILE_TTL_HOURS: {
    kind: 'integer',
    min: 1,
    max: 8760,
    default: 24,
    apps: rest,
    doc: 'How long an uploaded file is kept.',
  },
  FILE_CONTEXT_CHARACTERS: {
    kind: 'integer',
    min: 1000,
    max: 1_000_000,
    default: 32_000,
    apps: front,
    doc: 'Maximum number of characters of file text, including names, to give to an agent with a question or a session.',
  },
  FILE_STORAGE: {
    kind: 'enum',
    values: ['postgres', 's3'],
    default: 'postgres',
    apps: keepers,
    doc: 'Where the content of new files is stored; s3 needs the settings below.',
  },
  S3_ENDPOINT: {
    ...httpBase,
    unset: 'the AWS endpoint of S3_REGION',
    needs: 'S3_BUCKET',
    apps: keepers,
    doc: 'URL of an S3-compatible server.',
  },
  S3_REGION: {
    ...text,
    default: 'us-east-1',
    apps: keepers,
    doc: 'Region used to sign S3 requests.',
  },
  S3_BUCKET: {
    ...text,
    unset: 'none',
    apps: keepers,
    doc: 'Bucket for the files; it must exist.',
  },
  S3_ACCESS_KEY_ID: {
    ...text,
    secret: true,
    unset: 'what AWS’s provider chain finds: the role of the pod, the task or the instance',
    needs: 'S3_BUCKET',
    apps: keepers,
    doc: 'Access key that may list, read, write and delete in the bucket.',
  },
  S3_SECRET_ACCESS_KEY: {
    ...text,
    secret: true,
    unset: 'none',
    needs: 'S3_ACCESS_KEY_ID',
    apps: keepers,
    doc: 'Secret access key that belongs to it.',
  },
  S3_FORCE_PATH_STYLE: {
    ...onOff,
    default: false,
    apps: keepers,
    doc: 'Puts the bucket name in the path instead of the host name, as most S3-compatible servers require.',
  },
} as const satisfies Record<string, Setting>;
