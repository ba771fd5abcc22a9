import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Router } from 'express';

/** What a customer's page loads from here, wherever that page is. */
const files: Readonly<Record<string, string>> = {
  '/widget.js': '@parley/client/widget',
  '/audio-worklet.js': '@parley/client/audio-worklet.js',
};

type Script = { readonly plain: Buffer; readonly gzip: Buffer; readonly tag: string };

/** The widget and what it loads: the same for everybody, with no key, for pages of any origin. */
export function widgetRouter(): Router {
  const router = Router();
  for (const [path, name] of Object.entries(files)) {
    let made: Script | undefined;
    router.get(path, (request, response) => {
      const { plain, gzip, tag } = (made ??= read(name));
      response.set({
        'Content-Type': 'text/javascript; charset=utf-8',
        'Cache-Control': 'public, max-age=300',
        ETag: tag,
        Vary: 'Accept-Encoding',
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Timing-Allow-Origin': '*',
      });
      if (request.acceptsEncodings('gzip', 'identity') === 'gzip')
        response.set('Content-Encoding', 'gzip').send(gzip);
      else response.send(plain);
    });
  }
  return router;
}

/** The tag is weak, since it is that of the packed bytes, too. */
function read(name: string): Script {
  const plain = readFileSync(fileURLToPath(import.meta.resolve(name)));
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 27);
  return { plain, gzip: gzipSync(plain), tag: `W/"${hash}"` };
}
