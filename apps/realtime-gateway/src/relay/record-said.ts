import type { Effect, Input } from '../core/session.js';
import type { SessionRecorder } from '../ports.js';

type Take = (input: Input) => void;
type Said<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;

/** Records what was said, and reports the result to the core. */
export function recordSaid(
  recorder: SessionRecorder,
  { message }: Said<'record'>,
  take: Take,
): void {
  recorder.message(message, (id) =>
    take(id === undefined ? { kind: 'record.failed' } : { kind: 'record.stored', message, id }),
  );
}

/** The same for replaced words. */
export function rewriteSaid(
  recorder: SessionRecorder,
  { message, first }: Said<'rewrite'>,
  take: Take,
): void {
  recorder.rewrite(message, (id) => {
    if (id === undefined) take({ kind: 'record.failed' });
    else if (first) take({ kind: 'record.stored', message, id });
    else take({ kind: 'record.rewritten', id, content: message.content });
  });
}
