import type { Message } from '@parley/client/server';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrganization, useParley } from '../../api/parley.js';
import {
  beginning,
  blocksOf,
  blockSize,
  earlier,
  endOf,
  joined,
  later,
  type Range,
} from './transcript-range.js';

export type Transcript = {
  /** Undefined while loading. */
  readonly messages: readonly Message[] | undefined;
  readonly total: number;
  readonly error: unknown;
  readonly busy: boolean;
  readonly hasEarlier: boolean;
  readonly hasLater: boolean;
  readonly onEarlier: () => void;
  readonly onLater: () => void;
  readonly onBeginning: () => void;
  readonly onEnd: () => void;
  readonly onRetry: () => void;
};

/**
 * A part of a conversation's messages: its end, which grows, and any other blocks that were
 * requested.
 */
export function useTranscript(conversationId: string): Transcript {
  const { id } = useOrganization();
  const parley = useParley();
  const count = useQuery({
    queryKey: [id, 'messages', conversationId, 'count'],
    queryFn: async () =>
      (await parley.conversations.listMessages(conversationId, { limit: 1 })).total,
  });
  const total = count.data ?? 0;
  const [chosen, choose] = useState<Range>();
  const range = chosen ?? endOf(total);
  const { first, last, end } = blocksOf(range, total);
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const blocks = useQueries({
    queries: numbers.map((number) => ({
      // Only the end still changes, so earlier blocks are not refetched for every message.
      queryKey: [id, number < end - 1 ? 'past-messages' : 'messages', conversationId, number],
      queryFn: async () => {
        const place = { offset: number * blockSize, limit: blockSize };
        return (await parley.conversations.listMessages(conversationId, place)).items;
      },
      enabled: count.data !== undefined,
      staleTime: number < end - 1 ? Infinity : 0,
    })),
  });
  const known = blocks.map((block) => block.data);
  const there = known.filter((block) => block !== undefined);
  return {
    messages: there.length === 0 ? undefined : joined(there),
    total,
    error: count.error ?? blocks.find((block) => block.error)?.error ?? null,
    busy: there.length < known.length,
    hasEarlier: first > 0,
    hasLater: last < end,
    onEarlier: () => choose(earlier({ ...range, first })),
    onLater: () => choose(later(range, total)),
    onBeginning: () => choose(beginning),
    onEnd: () => choose(endOf(total)),
    onRetry: () => {
      void count.refetch();
      for (const block of blocks) if (block.error) void block.refetch();
    },
  };
}
