/** Node decodes anything; this rejects what is not base64. */
export function decodeBase64(text: string): Buffer | undefined {
  const body = text.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(body) || body.length % 4 === 1) return undefined;
  return Buffer.from(body, 'base64');
}
