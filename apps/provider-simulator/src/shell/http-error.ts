import type { Response } from 'express';

/** An error in the provider's shape. */
export type HttpError = {
  status: number;
  type: string;
  code: string | null;
  message: string;
  param: string | null;
};

export const errorBody = ({ message, type, param, code }: HttpError) => ({
  error: { message, type, param, code },
});

export function sendError(res: Response, error: HttpError): void {
  res.status(error.status).json(errorBody(error));
}
