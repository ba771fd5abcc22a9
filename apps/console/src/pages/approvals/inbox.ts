import type { Approval, Parley } from '@parley/client/server';
import { newestFirst } from '../../api/newest-first.js';

export const decidedStates = ['approved', 'rejected', 'expired', 'cancelled'] as const;
export type DecidedState = (typeof decidedStates)[number];

/** The most urgent first. */
export function bySoonest(approvals: readonly Approval[]): Approval[] {
  return approvals.toSorted(
    (a, b) => Date.parse(a.deadline) - Date.parse(b.deadline) || a.id.localeCompare(b.id),
  );
}

/**
 * The approval that many steps from the open one. The list does not wrap around; without an open
 * one, the first.
 */
export function neighbour(
  ids: readonly string[],
  open: string | undefined,
  step: 1 | -1,
): string | undefined {
  const at = open === undefined ? -1 : ids.indexOf(open);
  if (at === -1) return ids[0];
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}

/**
 * Which approval is open: the one in the address, otherwise the one that was open before, otherwise
 * the first. The open approval never changes under the user's hands; one that is decided in the
 * meantime stays until they move on.
 */
export function openOf(
  waiting: readonly Approval[],
  named: string | undefined,
  before: Approval | undefined,
): { readonly open: Approval | undefined; readonly gone: boolean } {
  const id = named ?? before?.id ?? waiting[0]?.id;
  const now = waiting.find((each) => each.id === id);
  if (now || before?.id !== id) return { open: now, gone: false };
  return { open: before, gone: true };
}

/** Whether it can be decided here, and not only on the caller's own socket. */
export function decidedHere({ approvers }: Approval): boolean {
  return approvers.includes('api');
}

/** Who decided, as text. */
export function deciderText(by: Approval['decidedBy'], myId: string): string | undefined {
  if (by === null) return undefined;
  const name = typeof by.name === 'string' ? by.name : undefined;
  switch (by.kind) {
    case 'user':
      return by.id === myId ? 'you' : (name ?? 'a member');
    case 'session':
      return 'the caller';
    case 'key':
      return name === undefined ? 'an API key' : `the API key ${name}`;
    default:
      return name;
  }
}

/** How far back all outcomes are listed together; a single outcome is listed to its end. */
export const deepest = 200;

type Reading = { readonly state: DecidedState | undefined; readonly offset: number };
type Decided = { readonly items: readonly Approval[]; readonly total: number };

/** Newest first, for one outcome or all. */
export async function readDecided(
  parley: Pick<Parley, 'approvals'>,
  { state, offset }: Reading,
  limit: number,
): Promise<Decided> {
  if (state !== undefined)
    return newestFirst((place) => parley.approvals.list({ state, ...place }), { offset, limit });
  const depth = Math.min(deepest, offset + limit);
  const all = await Promise.all(
    decidedStates.map((each) =>
      newestFirst((place) => parley.approvals.list({ state: each, ...place }), {
        offset: 0,
        limit: depth,
      }),
    ),
  );
  const items = all
    .flatMap((page) => page.items)
    .toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(offset, depth);
  const total = all.reduce((sum, page) => sum + page.total, 0);
  return { items, total: Math.min(deepest, total) };
}

/** The outcome of an approval that was just waiting; null until it is known. */
export async function readOutcome(
  parley: Pick<Parley, 'approvals'>,
  { id, conversationId }: Pick<Approval, 'id' | 'conversationId'>,
): Promise<Approval | null> {
  const pages = await Promise.all(
    decidedStates.map((state) =>
      newestFirst((place) => parley.approvals.list({ state, conversationId, ...place }), {
        offset: 0,
        limit: 50,
      }),
    ),
  );
  return pages.flatMap((page) => page.items).find((approval) => approval.id === id) ?? null;
}
