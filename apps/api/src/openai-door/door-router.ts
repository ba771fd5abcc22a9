import { Router, type Request, type Response } from 'express';
import { openAiRefusal, Problem, type Scope } from '@parley/protocol';
import { admitCaller } from '../http/admit-caller.js';
import type { Authenticate } from '../http/authenticate.js';
import { currentCaller } from '../http/current-caller.js';
import { jsonBodyReader } from '../http/json-body.js';
import { refuse, type Present } from '../http/refuse.js';
import { throttlesFor } from '../http/throttle.js';
import type { RateLimits } from '../metrics.js';
import { completeChat } from './chat-completions.js';
import { createClientSecret } from './client-secrets.js';
import type { DoorCall, DoorPorts } from './door.js';
import { getModel, listModels } from './models.js';

type DoorOperation = {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly scope: Scope;
  /** Whether it counts as a session, too. */
  readonly session?: true;
  readonly run: (ports: DoorPorts, call: DoorCall) => Promise<void>;
};

/** What of OpenAI's REST API an agent can be talked to with. The upgrade of /realtime is the gateway's. */
const operations: readonly DoorOperation[] = [
  { method: 'get', path: '/models', scope: 'agents', run: listModels },
  { method: 'get', path: '/models/:model', scope: 'agents', run: getModel },
  { method: 'post', path: '/chat/completions', scope: 'questions', run: completeChat },
  {
    method: 'post',
    path: '/realtime/client_secrets',
    scope: 'realtime',
    session: true,
    run: createClientSecret,
  },
];

export type DoorOptions = {
  readonly ports: DoorPorts;
  readonly authenticate: Authenticate;
  readonly rateLimits: RateLimits;
  readonly maxBodyBytes: number;
};

/** The same agents under the paths, in the shapes and with the errors that clients of OpenAI know. */
export function doorRouter({ ports, authenticate, rateLimits, maxBodyBytes }: DoorOptions): Router {
  const router = Router({ caseSensitive: true });
  const readBody = jsonBodyReader(maxBodyBytes);
  for (const { method, path, scope, session, run } of operations) {
    const admission = { authenticate, throttles: throttlesFor(rateLimits, session === true) };
    router[method](path, async (request: Request, response: Response) => {
      response.locals['route'] = `/v1${path}`;
      const guarded = { method, scope };
      const admitted = await admitCaller({ request, response }, guarded, admission);
      const current = currentCaller(admitted, () => authenticate(request, guarded));
      const { value: body } = await readBody(request, response);
      await run(ports, { caller: await current(), body, request, response });
    });
  }
  router.use(() => {
    throw new Problem('route-not-found', 'This part of OpenAI’s API is not offered here.');
  });
  router.use(refuse(ports.logger, sendOpenAiRefusal));
  return router;
}

const sendOpenAiRefusal: Present = (response, error) => {
  const { status, headers, body } = openAiRefusal(error);
  response.status(status).set(headers).json(body);
};
