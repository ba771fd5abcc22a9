import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, static as files } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { changesPage } from './changes-page.js';
import { errorPage } from './error-page.js';

// At the root of the project, and of an image that is made of it.
const changelog = join(import.meta.dirname, '../../../../CHANGELOG.md');

/** The reference page: Swagger UI with its assets served from here, the error catalogue, and what is new. */
export function docsRouter(): Router {
  const router = Router();
  const page = readAsset('index.html');
  router.get('/', (_request, response) => void response.type('html').send(page));
  for (const name of ['page.css', 'reference.js']) {
    const text = readAsset(name);
    router.get(`/${name}`, (_request, response) => void response.type(name).send(text));
  }
  for (const [path, html] of [
    ['/errors', errorPage()],
    ['/changes', changesPage(readFileSync(changelog, 'utf8'))],
  ] as const)
    router.get(path, (_request, response) => void response.type('html').send(html));
  router.use('/assets', files(getAbsoluteFSPath(), { index: false, maxAge: '1d' }));
  return router;
}

function readAsset(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../assets', name), 'utf8');
}
