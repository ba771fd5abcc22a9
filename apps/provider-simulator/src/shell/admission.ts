// Decides about an upgrade request before anything is written to the socket.
import type { IncomingMessage } from 'node:http';
import {
  invalidApiKey,
  misbehaviourOf,
  misbehaviours,
  type Misbehaviour,
} from './misbehaviours.js';

export type Admission =
  | { outcome: 'accept'; model: string; azure: boolean; misbehaviour?: Misbehaviour }
  | { outcome: 'refuse'; status: number; body: object; headers?: Record<string, string> }
  | { outcome: 'hang' };

const azurePath = '/openai/v1/realtime';
const paths = new Set(['/v1/realtime', azurePath]);

const betaRefused: Misbehaviour = {
  on: 'open',
  do: 'error',
  type: 'invalid_request_error',
  code: 'beta_api_shape_disabled',
  message: 'The Realtime Beta API is no longer supported. Please use /v1/realtime for the GA API.',
  closeCode: 4000,
};

export function admit(request: IncomingMessage, badApiKeys: readonly string[]): Admission {
  const [path = '', query] = (request.url ?? '').split('?', 2);
  if (!paths.has(path)) return refuse(404, 'not_found', `There is nothing at ${path}.`);
  const azure = path === azurePath;
  const key = apiKeyOf(request);
  if (key === undefined) return refuse(401, 'missing_api_key', 'No API key was provided.');
  const model = new URLSearchParams(query).get('model') ?? '';
  if (model === '') return refuse(400, 'missing_model', 'You must provide a model parameter.');
  if (request.headers['openai-beta']?.includes('realtime=v1'))
    return { outcome: 'accept', model, azure, misbehaviour: betaRefused };
  if (key === invalidApiKey || badApiKeys.includes(key))
    return { outcome: 'accept', model, azure, misbehaviour: misbehaviours['sim-close-on-open'] };
  return admitModel(model, azure);
}

function admitModel(model: string, azure: boolean): Admission {
  const misbehaviour = misbehaviourOf(model);
  if (misbehaviour?.on !== 'upgrade')
    return { outcome: 'accept', model, azure, ...(misbehaviour && { misbehaviour }) };
  switch (misbehaviour.do) {
    case 'hang':
      return { outcome: 'hang' };
    case 'redirect':
      return { ...refuse(302, 'moved', 'Moved.'), headers: { location: misbehaviour.location } };
    case 'refuse':
      return refuse(misbehaviour.status, misbehaviour.code, misbehaviour.message);
  }
}

/** The key, wherever clients put it: in one of two headers, or in the browser's subprotocol. */
export function apiKeyOf({ headers }: IncomingMessage): string | undefined {
  const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const azure = headers['api-key'];
  const browser = /openai-insecure-api-key\.([^\s,]+)/.exec(
    headers['sec-websocket-protocol'] ?? '',
  );
  return bearer ?? (typeof azure === 'string' && azure !== '' ? azure : browser?.[1]);
}

const refuse = (status: number, code: string, message: string) => ({
  outcome: 'refuse' as const,
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code } },
});

/** While the simulator is away. */
export const refuseAway = refuse(503, 'overloaded', 'The server is overloaded.');
