import type { RequestHandler } from 'express';
import { homePage } from '@parley/docs';

/** For people who open the service's address in a browser; other clients get 404. */
export function home(version: string): RequestHandler {
  const html = homePage(version);
  return (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') next();
    else response.type('html').send(html);
  };
}
