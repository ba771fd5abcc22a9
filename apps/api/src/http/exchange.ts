import type { Request, Response } from 'express';

export type Exchange = { readonly request: Request; readonly response: Response };
