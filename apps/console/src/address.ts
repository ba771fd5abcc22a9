import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Paging } from './parts/data-table.js';
import { offsetOf } from './search.js';

type Held = Readonly<Record<string, string | undefined>>;

/** Number of rows per page of a list. */
export const pageSize = 50;

/**
 * The search parameters of the page's address, and a function to change them. A change resets a
 * list to its start, unless it sets the offset.
 */
export function useAddress(): readonly [Held, (changes: Held) => void] {
  const search: Held = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Held) =>
      void navigate({
        to: '.',
        search: (before) => held({ ...before, offset: undefined, ...changes }),
      }),
    [navigate],
  );
  return [search, change];
}

function held(search: Held): Record<string, string> {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The part of a list that the address selects. */
export function useListPlace() {
  const [{ offset }, change] = useAddress();
  const place = { offset: offsetOf(offset), limit: pageSize };
  const pagingOf = (total: number | undefined): Paging | undefined =>
    total === undefined
      ? undefined
      : { ...place, total, onMove: (to) => change({ offset: to === 0 ? undefined : String(to) }) };
  return { place, pagingOf };
}
