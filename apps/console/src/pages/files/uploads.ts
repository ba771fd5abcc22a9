/** A file that is being uploaded. */
export type Upload = {
  readonly key: string;
  readonly name: string;
  /** Progress, from 0 to 1. */
  readonly part: number;
  /** Why the upload failed. */
  readonly error: unknown;
};

export type UploadChange =
  | { readonly kind: 'added'; readonly upload: Upload }
  | { readonly kind: 'progress'; readonly key: string; readonly part: number }
  | { readonly kind: 'failed'; readonly key: string; readonly error: unknown }
  | { readonly kind: 'gone'; readonly key: string };

export function nextUploads(all: readonly Upload[], change: UploadChange): readonly Upload[] {
  if (change.kind === 'added') return [...all, change.upload];
  if (change.kind === 'gone') return all.filter(({ key }) => key !== change.key);
  const { kind, key, ...news } = change;
  return all.map((upload) => (upload.key === key ? { ...upload, ...news } : upload));
}
