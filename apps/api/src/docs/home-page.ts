import type { RequestHandler } from 'express';
import { homePage } from '@parley/docs';

/** For whoever opens the address of the service in a browser; other clients are told that nothing is here. */
export function home(version: string): RequestHandler {
  const html = homePage(version);
  return (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') next();
    else response.type('html').send(html);
  };
}
