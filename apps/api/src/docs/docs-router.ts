import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router, static as files } from 'express';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { errorPage } from './error-page.js';

/** The reference page: Swagger UI with its assets served from here, and the error catalogue. */
export function docsRouter(): Router {
  const router = Router();
  const page = readAsset('index.html');
  router.get('/', (_request, response) => void response.type('html').send(page));
  for (const name of ['page.css', 'reference.js']) {
    const text = readAsset(name);
    router.get(`/${name}`, (_request, response) => void response.type(name).send(text));
  }
  router.get('/errors', (_request, response) => void response.type('html').send(errorPage()));
  router.use('/assets', files(getAbsoluteFSPath(), { index: false, maxAge: '1d' }));
  return router;
}

function readAsset(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../assets', name), 'utf8');
}
