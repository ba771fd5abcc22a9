import type { FileRecord } from '@parley/database';
import type { FileMediaType, TemporaryFile } from '@parley/protocol';

export function fileView({ storage: _storage, ...record }: FileRecord): TemporaryFile {
  return {
    ...record,
    mediaType: record.mediaType as FileMediaType,
    createdAt: record.createdAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
  };
}
