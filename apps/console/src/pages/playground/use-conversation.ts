import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { newestFirst } from '../../api/newest-first.js';
import { useOrganization, useParley } from '../../api/parley.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { recalled } from './history.js';
import { useCallPart } from './use-call.js';

/** How much of a conversation is shown when it continues. */
const recalledAtMost = 200;

const conversationOf = (now: CallState) => now.conversationId;

/** The conversation of the call. It begins with the one that the page was opened with. */
export function useConversation(call: Call, wanted: string | undefined) {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const id = useCallPart(call, conversationOf);
  const [first] = useState(wanted);
  const { data } = useQuery({
    queryKey: [organizationId, 'recalled-messages', first],
    queryFn: () =>
      newestFirst((place) => parley.conversations.listMessages(first ?? '', place), {
        offset: 0,
        limit: recalledAtMost,
      }),
    enabled: first !== undefined,
    // Read once, because the call has what follows; and not from an earlier visit.
    staleTime: Infinity,
    gcTime: 0,
  });
  useEffect(() => {
    if (first !== undefined && call.now.conversationId === undefined) call.begin(first);
  }, [call, first]);
  useEffect(() => {
    if (data && call.now.conversationId === first) call.recall(recalled(data.items.toReversed()));
  }, [call, data, first]);
  const isCut = data !== undefined && data.total > data.items.length && id === first;
  return { id, isCut };
}
