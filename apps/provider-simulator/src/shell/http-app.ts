// The HTTP side: models, chat completions, and a page that lists the simulator's directives.
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { directives } from '../core/directives.js';
import type { IdSource } from '../core/ids.js';
import type { SimulatorSettings } from '../settings.js';
import { apiKeyOf } from './admission.js';
import { chatCompletions } from './chat-completions.js';
import { sendError } from './http-error.js';
import { invalidApiKey, misbehaviours } from './misbehaviours.js';

const models = ['gpt-realtime', 'gpt-realtime-mini', 'gpt-4o-mini', 'gpt-4o-mini-transcribe'];

export type HttpOptions = { settings: SimulatorSettings; ids: IdSource; now: () => number };

export function createHttpApp({ settings, ids, now }: HttpOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/', (_req, res) => {
    const docs = Object.entries(misbehaviours).map(([name, { doc }]) => [name, doc]);
    res.json({ directives, models: Object.fromEntries(docs) as object });
  });
  // Azure serves the same API one level down.
  for (const prefix of ['/v1', '/openai/v1']) {
    app.use(prefix, (req, res, next) => requireKey(req, res, { next, settings }));
    app.get(
      `${prefix}/models`,
      (_req, res) => void res.json({ object: 'list', data: models.map(model) }),
    );
    app.post(`${prefix}/chat/completions`, readJson, (req, res) =>
      chatCompletions(req, res, { ids, tokenMs: settings.tokenMs, now }),
    );
  }
  app.use((req, res) =>
    sendError(res, invalid(404, 'unknown_url', `Unknown request URL: ${req.method} ${req.path}.`)),
  );
  return app;
}

const model = (id: string) => ({
  id,
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'simulator',
});

function requireKey(
  req: Request,
  res: Response,
  { next, settings }: { next: NextFunction; settings: SimulatorSettings },
): void {
  const key = apiKeyOf(req);
  if (key !== undefined && key !== invalidApiKey && !settings.badApiKeys.includes(key)) {
    next();
    return;
  }
  sendError(res, invalid(401, 'invalid_api_key', 'Incorrect API key provided.'));
}

const json = express.json({ limit: '16mb' });

function readJson(req: Request, res: Response, next: NextFunction): void {
  json(req, res, (error?: unknown) => {
    if (error === undefined) next();
    else sendError(res, invalid(400, 'invalid_json', 'The body could not be read as JSON.'));
  });
}

const invalid = (status: number, code: string, message: string) => ({
  status,
  type: 'invalid_request_error',
  code,
  message,
  param: null,
});
