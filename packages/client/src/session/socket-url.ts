import { ParleyError } from '../errors.js';

/** The address of a path on the service, or of one that names the service itself. */
export function socketUrl(path: string, baseUrl: string | URL | undefined): URL {
  const { location } = globalThis as { location?: Location };
  let url: URL;
  try {
    const base = baseUrl ?? location?.origin;
    url = base === undefined ? new URL(path) : new URL(below(new URL(base), path), base);
  } catch {
    throw new ParleyError(
      'argument-invalid',
      'Pass `baseUrl`, the address of the service, such as https://parley.example.com.',
    );
  }
  url.protocol = url.protocol.replace(/^http/, 'ws');
  // Browsers cannot read why a handshake was refused, but they can read a close code.
  url.searchParams.set('errors', 'close');
  return url;
}

/** The service may not be at the root of its host. */
function below({ pathname }: URL, path: string): string {
  const prefix = pathname.replace(/\/$/, '');
  const isAbsolute = !path.startsWith('/') || path.startsWith('//');
  return isAbsolute || path.startsWith(`${prefix}/`) ? path : prefix + path;
}

/** The address of the service in that of a session. */
export function serviceIn({ origin, pathname }: URL): string {
  const api = pathname.indexOf('/api/v1/');
  return origin + pathname.slice(0, Math.max(0, api));
}
