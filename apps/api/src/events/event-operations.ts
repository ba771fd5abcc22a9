import { operations } from '@parley/protocol';
import type { Handlers } from '../http/call.js';
import { eventStreamHeaders } from '../http/event-stream.js';
import type { EventDesk } from './event-desk.js';

const [mediaType] = operations.listenToEvents.success.stream;

export function eventOperations({
  events,
}: {
  events: Pick<EventDesk, 'listen'>;
}): Pick<Handlers, 'listenToEvents'> {
  return {
    listenToEvents: {
      async run({ caller: { organizationId, scopes }, standing }) {
        const stream = await events.listen({ organizationId, scopes, ...standing });
        return { mediaType, headers: eventStreamHeaders, chunks: stream, cut: stream.cut };
      },
    },
  };
}
