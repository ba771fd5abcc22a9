import type { Reply } from './contract-client.js';
import type { Tenant } from './api-under-test.js';

export type Part = {
  content: string | Uint8Array;
  name?: string | null;
  field?: string;
  type?: string;
  headers?: string[];
};

const boundary = 'a-boundary-of-the-test';
const bytesOf = (content: string | Uint8Array) => Buffer.from(content as Uint8Array);

/** A multipart body, byte for byte as wanted. */
export function formOf(parts: Part[], { end = `--${boundary}--\r\n` } = {}): Buffer {
  const blocks = parts.flatMap(({ content, field = 'file', name = 'notes.txt', type, headers }) => {
    const file = name === null ? '' : `; filename="${name.replaceAll('"', '%22')}"`;
    const lines = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${field}"${file}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      ...(headers ?? []),
    ];
    return [Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytesOf(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...blocks, Buffer.from(end)]);
}

export const formType = `multipart/form-data; boundary=${boundary}`;

export function upload(
  { client }: Tenant,
  form: Part | Uint8Array,
  contentType = formType,
): Promise<Reply> {
  const raw = form instanceof Uint8Array ? form : formOf([form]);
  return client.request('POST', '/api/v1/TemporaryFile', {
    raw,
    headers: { 'Content-Type': contentType },
  });
}
