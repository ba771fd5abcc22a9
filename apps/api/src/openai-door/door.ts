import type { Request, Response } from 'express';
import type { Caller } from '@parley/issuing';
import type { QuestionDesk } from '../questions/question-desk.js';
import type { SessionPorts } from '../sessions/session-operations.js';

/** The dependencies of the door's operations. */
export type DoorPorts = SessionPorts & { questions: QuestionDesk };

/** A request whose key, scope and rate have been checked. */
export type DoorCall = {
  readonly caller: Caller;
  /** Parsed JSON; undefined without a body. */
  readonly body: unknown;
  readonly request: Request;
  readonly response: Response;
};
