import type { IncomingMessage } from 'node:http';
import { redactor } from '@parley/protocol';

const maxBodyBytes = 16_384;
const minSecretLength = 8;

/**
 * Why a provider answered a WebSocket handshake with an ordinary response: its status, and its own
 * message if it has one.
 */
export async function httpRefusal(response: IncomingMessage): Promise<string> {
  const words = ownWords(await startOfBody(response));
  return `HTTP ${response.statusCode ?? 0}${words ? `: ${words}` : ''}`;
}

/**
 * Why there is no connection. It contains no addresses or host names, because it is shown to end
 * users.
 */
export function connectFailure(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? error.message : `no connection (${code})`;
}

/**
 * Some servers repeat the key that they refuse, in one encoding or another. A text of a few letters
 * is not a key, and hiding it would blank ordinary words.
 */
export function hideSecret(text: string, secret: string | null): string {
  return secret !== null && secret.length >= minSecretLength ? redactor([secret])(text) : text;
}

async function startOfBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBodyBytes) break;
    }
  } catch {
    // If the body breaks off, the status is still known.
  }
  return Buffer.concat(chunks).toString();
}

/**
 * The code and message of an error body in the provider's format; a proxy's web page has neither.
 * They may repeat a key: hide it before they are cut to the length that is shown.
 */
export function ownWords(body: string): string {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    if (typeof error === 'string') return error.slice(0, maxBodyBytes);
    if (typeof error !== 'object' || error === null) return '';
    const { code, message } = error as { code?: unknown; message?: unknown };
    const parts = [code, message].filter((part) => typeof part === 'string');
    return parts.join(': ').slice(0, maxBodyBytes);
  } catch {
    return '';
  }
}
