import { Router } from 'express';
import helmet from 'helmet';
import { docsSite } from '@parley/docs';
import type { OpenApiDocument } from '@parley/protocol';

/** Pages only load resources of this server; there are no inline scripts or styles. */
export const pagePolicy = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** The guides, the reference, and the files their pages load. */
export function docsRouter(version: string, contract: OpenApiDocument): Router {
  const site = docsSite({ version, contract });
  const router = Router();
  router.use(pagePolicy);
  router.get('/changes', (_request, response) => response.redirect(308, '/docs/whats-new'));
  router.get('/{*path}', (request, response, next) => {
    const file = site.file(request.path.replace(/(?<=.)\/$/, ''));
    if (file) {
      response.set('Cache-Control', 'public, max-age=300').type(file.type).send(file.body);
    } else if (request.accepts(['json', 'html']) === 'html') {
      response.status(404).type('html').send(site.notFound());
    } else {
      next();
    }
  });
  return router;
}
