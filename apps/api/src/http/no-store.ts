import type { RequestHandler } from 'express';

/** An answer belongs to its caller, refusals included: nothing between keeps it, and no browser. What may be kept says so itself. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};
