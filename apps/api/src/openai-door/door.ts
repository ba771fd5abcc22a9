import type { Request, Response } from 'express';
import type { Database } from '@parley/database';
import type { Caller, QuotaGuard } from '@parley/issuing';
import type { Logger } from '@parley/service-kit';
import type { QuestionDesk } from '../questions/question-desk.js';
import type { SessionPorts } from '../sessions/session-operations.js';

/** What the operations of the door need. */
export type DoorPorts = SessionPorts & {
  database: Database;
  questions: QuestionDesk;
  quotas: QuotaGuard;
  logger: Logger;
};

/** A request whose key, scope and rate have been checked. */
export type DoorCall = {
  readonly caller: Caller;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly request: Request;
  readonly response: Response;
};
