import { useEffect, useRef } from 'react';
import type { OrganizationEvent, ResyncHint } from '@parley/client/server';
import { queryClient } from './signed-in.js';

type LiveEvent = Exclude<OrganizationEvent, ResyncHint>;

/**
 * The lists that an event makes stale, by the second element of their query keys (the first is the
 * organization).
 */
const staleAfter: Readonly<Record<LiveEvent['type'], readonly string[]>> = {
  'approval.waiting': ['approvals', 'tool-calls'],
  'approval.decided': ['approvals', 'tool-calls'],
  'session.started': ['sessions', 'conversations', 'usage'],
  'session.ended': ['sessions', 'conversations', 'usage'],
  'message.created': ['conversations', 'messages'],
  'question.answered': ['conversations', 'messages', 'usage'],
  'task.changed': ['tasks'],
};

type Listener = (event: LiveEvent) => void;
const listeners = new Set<Listener>();

/**
 * Keeps one stream open while a page of the organization is shown, and refetches the data that its
 * events concern.
 */
export function useLiveEvents(organizationId: string): void {
  useEffect(() => {
    let source = listen(organizationId);
    const timer = setInterval(() => {
      // Browsers stop reconnecting after a refusal, for example after signing out.
      if (source.readyState !== EventSource.CLOSED) return;
      source = listen(organizationId);
      // A new stream begins now: it has no events from before.
      source.addEventListener('open', () => refresh(organizationId), { once: true });
    }, reopenMs);
    return () => {
      clearInterval(timer);
      source.close();
    };
  }, [organizationId]);
}

const reopenMs = 10_000;

function listen(organizationId: string): EventSource {
  const source = new EventSource(`/api/v1/Event?OrgId=${organizationId}`);
  for (const [type, names] of Object.entries(staleAfter))
    source.addEventListener(type, ({ data }: MessageEvent<string>) => {
      for (const name of names) refresh(organizationId, name);
      const event = JSON.parse(data) as LiveEvent;
      for (const tell of listeners) tell(event);
    });
  source.addEventListener('resync', () => refresh(organizationId));
  return source;
}

function refresh(...queryKey: string[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

/** For side effects of an event, such as a sound. */
export function useOnLiveEvent(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const tell: Listener = (event) => latest.current(event);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
}
