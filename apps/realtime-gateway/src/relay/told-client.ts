import { randomUUID } from 'node:crypto';
import { customEvent, errorEvent, type ServiceErrorCode } from '@parley/protocol';
import type { Effect } from '../core/session.js';

type Told = { code: ServiceErrorCode; message: string; refusedId?: string | undefined };

export function errorText({ code, message, refusedId }: Told): string {
  return errorEvent({ eventId: `event_${randomUUID()}`, code, message, refusedId });
}

export function noticeText({ code, fields }: Extract<Effect, { kind: 'notice' }>): string {
  return customEvent('session.notice', { code, fields: [...fields] });
}
