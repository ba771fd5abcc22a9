import { wrongArgument } from './argument-checks.js';

/** A file to upload: a `File`, or its name and its content. */
export type FileToUpload =
  | File
  | {
      readonly name: string;
      readonly content: Blob | string | ArrayBuffer | Uint8Array;
    };

/** A form with the file as its only field. It can be sent more than once. */
export function formWith(file: unknown): FormData {
  const form = new FormData();
  const { name, content = file } = (file ?? {}) as { name?: unknown; content?: unknown };
  if (typeof name !== 'string' || name === '')
    throw wrongArgument('Upload a File, or { name, content }: the file needs a name.');
  form.append('file', blobOf(content), name);
  return form;
}

function blobOf(content: unknown): Blob {
  if (content instanceof Blob) return content;
  if (typeof content === 'string' || content instanceof ArrayBuffer || ArrayBuffer.isView(content))
    return new Blob([content as string | ArrayBuffer | Uint8Array<ArrayBuffer>]);
  throw wrongArgument('The content of an upload must be a string, bytes or a Blob, not a stream.');
}
