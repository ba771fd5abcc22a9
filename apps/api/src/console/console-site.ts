import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
import helmet from 'helmet';
import { Problem } from '@parley/protocol';
import { readStaticFile, sendStaticFile, type StaticFile } from '../http/static-file.js';

/** The build output of the console. */
const site = join(
  dirname(fileURLToPath(import.meta.resolve('@parley/console/package.json'))),
  'dist/site',
);

/**
 * The console: one page for every address below /console, and its files, whose names contain a hash
 * of their content.
 */
export function consoleSite(settings: { CONSOLE_FRAME_ANCESTORS: readonly string[] }): Router {
  const files = siteFiles();
  const router = Router();
  router.use(consolePolicy(settings.CONSOLE_FRAME_ANCESTORS));
  router.get('/{*path}', (request, response, next) => {
    const file = files(request.path);
    if (file) {
      response.set('Cache-Control', cachingOf(request.path)).type(extname(request.path));
      sendStaticFile({ request, response }, file);
      return;
    }
    const page = files('/index.html');
    if (extname(request.path) !== '' || request.accepts(['json', 'html']) !== 'html') next();
    else if (page) {
      response.set('Cache-Control', 'no-cache').type('html');
      sendStaticFile({ request, response }, page);
    } else
      throw new Problem(
        'service-unavailable',
        'The console is not built here: run npm run build first.',
      );
  });
  return router;
}

const year = 31_536_000;

function cachingOf(path: string): string {
  return path.startsWith('/assets/') ? `public, max-age=${year}, immutable` : 'no-cache';
}

/** Only serves files that the folder lists, each read once. */
function siteFiles(): (path: string) => StaticFile | undefined {
  const listed = new Map<string, StaticFile | undefined>();
  if (existsSync(site))
    for (const entry of readdirSync(site, { recursive: true, withFileTypes: true }))
      if (entry.isFile())
        listed.set(join(entry.parentPath, entry.name).slice(site.length), undefined);
  return (path) => {
    if (!listed.has(path)) return undefined;
    const file = listed.get(path) ?? readStaticFile(join(site, path));
    listed.set(path, file);
    return file;
  };
}

/**
 * Nothing from other origins, nothing inline, and no framing except by the origins that the
 * operator allows.
 */
function consolePolicy(ancestors: readonly string[]): RequestHandler {
  const policy = helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      workerSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      mediaSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ancestors.length === 0 ? ["'none'"] : [...ancestors],
    },
  });
  return (request, response, next) => {
    // The older equivalent, which does not support a list.
    if (ancestors.length === 0) response.set('X-Frame-Options', 'DENY');
    else response.removeHeader('X-Frame-Options');
    policy(request, response, next);
  };
}
