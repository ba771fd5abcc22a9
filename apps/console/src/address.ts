import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Paging } from './parts/data-table.js';
import { offsetOf } from './search.js';

type Held = Readonly<Record<string, string | undefined>>;

/** How many rows a page of a list has. */
export const pageSize = 50;

/** What the address of the page holds, and a way to change it. A change begins a list anew, unless it says where. */
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

/** The part of a list that the address names. */
export function useListPlace() {
  const [{ offset }, change] = useAddress();
  const place = { offset: offsetOf(offset), limit: pageSize };
  const pagingOf = (total: number | undefined): Paging | undefined =>
    total === undefined
      ? undefined
      : { ...place, total, onMove: (to) => change({ offset: to === 0 ? undefined : String(to) }) };
  return { place, pagingOf };
}
