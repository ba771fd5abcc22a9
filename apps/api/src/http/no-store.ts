import type { RequestHandler } from 'express';

/**
 * A response belongs to its caller, errors included: neither a proxy nor a browser may store it.
 * Cacheable responses override this.
 */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
