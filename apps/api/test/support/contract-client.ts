import {
  openApiDocument,
  ProblemBody,
  RealtimeErrorBody,
  operations,
  validatorOf,
  type Operation,
} from '@parley/protocol';

export type Reply = { status: number; headers: Headers; body: unknown };

export const problemCode = ({ body }: Reply): string =>
  (body as { type: string }).type.replace('/docs/errors#', '');

export type RequestOptions = {
  body?: unknown;
  raw?: string | Uint8Array;
  headers?: Record<string, string>;
};

/** An HTTP client that holds every answer against the contract: a status or a body that it does not state is an error. */
export type ContractClient = {
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  get(path: string, options?: RequestOptions): Promise<Reply>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Reply>;
  delete(path: string, options?: RequestOptions): Promise<Reply>;
};

export function contractClient(
  baseUrl: string,
  defaults: Record<string, string> = {},
): ContractClient {
  const request = async (
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Reply> => {
    const payload =
      options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        ...defaults,
        ...(payload !== undefined && { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(payload !== undefined && { body: payload as string }),
    });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    // One that goes on for as long as somebody listens is not waited for.
    const isEndless = isStream && path.startsWith('/api/v1/Event');
    if (isEndless) await response.body?.cancel();
    const text = isEndless ? '' : await response.text();
    const json = /[/+]json(;|$)/.test(response.headers.get('content-type') ?? '');
    const body: unknown = json && text !== '' ? JSON.parse(text) : text;
    const reply = { status: response.status, headers: response.headers, body };
    checkAgainstContract({ method, path, reply });
    return reply;
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { body, ...options }),
    put: (path, body, options) => request('PUT', path, { body, ...options }),
    patch: (path, body, options) => request('PATCH', path, { body, ...options }),
    delete: (path, options) => request('DELETE', path, options),
  };
}

const document = openApiDocument('test');
const checks = Object.values<Operation>(operations).map((operation) => ({
  operation,
  pattern: new RegExp(`^/api/v1${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  success: operation.success.schema && validatorOf(operation.success.schema),
  accepted: operation.success.orAccepted && validatorOf(operation.success.orAccepted),
}));
const problem = validatorOf(ProblemBody);
const realtimeError = validatorOf(RealtimeErrorBody);

function checkAgainstContract({
  method,
  path,
  reply,
}: {
  method: string;
  path: string;
  reply: Reply;
}): void {
  const plain = path.split('?')[0] ?? '';
  const found = checks.find(
    ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(plain),
  );
  const where = `${method} ${plain} answered ${reply.status}`;
  if (!reply.headers.get('x-request-id')) throw new Error(`${where} without X-Request-Id`);
  if (!found) return;
  const { responses } = document.paths[`/api/v1${found.operation.path}`]![
    found.operation.method
  ] as { responses: object };
  if (!Object.hasOwn(responses, String(reply.status)))
    throw new Error(`${where}, which the contract does not state`);
  const type = reply.headers.get('content-type') ?? '';
  const { stream, download, orEvents } = found.operation.success;
  const types = stream ?? download;
  if (reply.status < 300 && types) {
    if (!types.includes(type)) throw new Error(`${where} with ${type}`);
    if (!found.success) return;
  }
  if (orEvents && type === 'text/event-stream') return;
  const validate =
    reply.status === 202
      ? found.accepted
      : reply.status < 300
        ? found.success
        : type.startsWith('application/problem+json')
          ? problem
          : realtimeError;
  const verdict = validate?.(reply.body) ?? { ok: reply.body === '' };
  if (!verdict.ok)
    throw new Error(
      `${where} with a body that breaks the contract: ${JSON.stringify({ body: reply.body, verdict })}`,
    );
}
