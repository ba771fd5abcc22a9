import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { readStaticFile, sendStaticFile, type StaticFile } from '../http/static-file.js';

/** The files that a customer's page loads from here, wherever that page is. */
const files: Readonly<Record<string, string>> = {
  '/widget.js': '@parley/client/widget',
  '/audio-worklet.js': '@parley/client/audio-worklet.js',
};

/** The widget and its files: the same for everybody, without a key, for pages of any origin. */
export function widgetRouter(): Router {
  const router = Router();
  for (const [path, name] of Object.entries(files)) {
    let made: StaticFile | undefined;
    router.get(path, (request, response) => {
      made ??= readStaticFile(fileURLToPath(import.meta.resolve(name)));
      response.set({
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=300',
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Timing-Allow-Origin': '*',
      });
      sendStaticFile({ request, response }, made);
    });
  }
  return router;
}
