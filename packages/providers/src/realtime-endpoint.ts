import type { ConnectionKind } from '@parley/protocol';

/** Where a realtime session with a model is opened, and with whose key. */
export type RealtimeTarget = {
  readonly kind: ConnectionKind;
  /** What an OpenAI SDK takes, such as https://host/v1; for azure-openai the resource's origin. */
  readonly baseUrl: string | null;
  readonly secret: string | null;
  readonly model: string;
};

export type RealtimeEndpoint = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

type KindRule = {
  readonly defaultBaseUrl?: string;
  /** Appended to the base URL. */
  readonly path: string;
  readonly authorize: (secret: string) => Record<string, string>;
};

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

const kinds: Readonly<Record<ConnectionKind, KindRule>> = {
  openai: { defaultBaseUrl: 'https://api.openai.com/v1', path: '/realtime', authorize: bearer },
  'azure-openai': {
    path: '/openai/v1/realtime',
    authorize: (secret) => ({ 'api-key': secret }),
  },
  'openai-compatible': { path: '/realtime', authorize: bearer },
  simulator: { path: '/realtime', authorize: bearer },
};

/** Undefined when the connection names no base URL and its kind has none of its own. */
export function realtimeEndpoint(target: RealtimeTarget): RealtimeEndpoint | undefined {
  const { defaultBaseUrl, path, authorize } = kinds[target.kind];
  const base = target.baseUrl ?? defaultBaseUrl;
  if (base === undefined) return undefined;
  const url = new URL(base);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  url.searchParams.set('model', target.model);
  return { url: url.href, headers: target.secret === null ? {} : authorize(target.secret) };
}
