import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import type { OpenApiDocument } from '@parley/protocol';
import { changesPage } from './changes-page.js';
import { errorPage } from './error-page.js';
import { realtimePage } from './realtime-page.js';
import { referencePage } from './reference-page.js';

// At the root of the project, and of an image that is made of it.
const changelog = join(import.meta.dirname, '../../../../CHANGELOG.md');

const style = readFileSync(join(import.meta.dirname, '../../assets/page.css'), 'utf8');

/** The reference, the realtime session, the error catalogue, and what is new: pages that load nothing but a style sheet. */
export function docsRouter(contract: OpenApiDocument): Router {
  const router = Router();
  router.get('/page.css', (_request, response) => void response.type('css').send(style));
  for (const [path, html] of [
    ['/', referencePage(contract)],
    ['/errors', errorPage()],
    ['/realtime', realtimePage()],
    ['/changes', changesPage(readFileSync(changelog, 'utf8'))],
  ] as const)
    router.get(path, (_request, response) => void response.type('html').send(html));
  return router;
}
