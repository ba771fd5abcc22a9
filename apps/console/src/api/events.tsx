import { useEffect, useRef } from 'react';
import { queryClient } from './signed-in.js';

/** What the service tells as it happens. Each is a hint to read again. */
export const liveEvents = [
  'approval.waiting',
  'approval.decided',
  'session.started',
  'session.ended',
  'message.created',
  'question.answered',
  'task.changed',
] as const;
export type LiveEventType = (typeof liveEvents)[number];
export type LiveEvent = { readonly type: LiveEventType; readonly data: Record<string, unknown> };

/** Which lists an event makes stale, by the second word of their query keys (the first is the organization). */
const staleAfter: Readonly<Record<LiveEventType, readonly string[]>> = {
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

/** Keeps one stream open while a page of the organization is; what it tells is read again wherever it is shown. */
export function useLiveEvents(organizationId: string): void {
  useEffect(() => {
    const source = new EventSource(`/api/v1/Event?OrgId=${organizationId}`);
    const refresh = (name: string) =>
      void queryClient.invalidateQueries({ queryKey: [organizationId, name] });
    for (const type of liveEvents)
      source.addEventListener(type, ({ data }: MessageEvent<string>) => {
        for (const name of staleAfter[type]) refresh(name);
        const event = { type, data: JSON.parse(data) as Record<string, unknown> };
        for (const tell of listeners) tell(event);
      });
    source.addEventListener('resync', () => {
      void queryClient.invalidateQueries({ queryKey: [organizationId] });
    });
    return () => source.close();
  }, [organizationId]);
}

/** For what a page does at the event itself, such as a sound. */
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
