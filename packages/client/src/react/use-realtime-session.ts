import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { connectAudio, type AudioOptions, type SessionAudio } from '../audio/index.js';
import type { ParleyError } from '../errors.js';
import {
  RealtimeSession,
  type Activity,
  type Approval,
  type ConnectOptions,
  type Message,
  type SessionState,
  type ToolCall,
} from '../index.js';

export type UseRealtimeSessionOptions = ConnectOptions & {
  /**
   * Microphone and speaker, opened with the session. `false`, the default, is a text conversation.
   */
  readonly audio?: AudioOptions | boolean;
};

export type UseRealtimeSession = {
  /** `idle` until `connect` is called. */
  readonly state: SessionState | 'idle';
  /** Why the session failed to open or was lost. Messages stay until the next `connect`. */
  readonly error: Error | undefined;
  readonly session: RealtimeSession | undefined;
  readonly audio: SessionAudio | undefined;
  readonly messages: readonly Message[];
  readonly calls: readonly ToolCall[];
  readonly approvals: readonly Approval[];
  readonly activity: Activity;
  /**
   * Call it in a click handler: browsers require a user gesture to play sound and to ask for the
   * microphone.
   */
  readonly connect: () => void;
  readonly disconnect: () => void;
  readonly sendText: (text: string) => void;
  readonly interrupt: () => void;
};

type Open = {
  readonly session: RealtimeSession;
  readonly audio: SessionAudio | undefined;
  /** Why the session is reconnecting or was lost. */
  readonly error: () => ParleyError | undefined;
};

/**
 * A session and everything a page shows of it. The session is closed when the component unmounts.
 */
export function useRealtimeSession(options: UseRealtimeSessionOptions): UseRealtimeSession {
  const latest = useRef(options);
  /** The last attempt. It is aborted once it is over, whoever ended it. */
  const attempt = useRef<AbortController | undefined>(undefined);
  const [open, setOpen] = useState<Open>();
  const [progress, setProgress] = useState<{
    state: 'idle' | 'connecting' | 'closed';
    error?: Error;
  }>(idle);
  useEffect(() => {
    latest.current = options;
  });

  const disconnect = useCallback(() => attempt.current?.abort(), []);

  const connect = useCallback(() => {
    if (attempt.current?.signal.aborted === false) return;
    const own = new AbortController();
    attempt.current = own;
    setOpen(undefined);
    setProgress({ state: 'connecting' });
    opened(latest.current, own).then(
      (now) => {
        if (attempt.current === own) setOpen(now);
      },
      (error: unknown) => {
        own.abort();
        if (attempt.current === own) setProgress({ state: 'closed', error: error as Error });
      },
    );
  }, []);

  useEffect(() => disconnect, [disconnect]);
  const session = open?.session;
  const view = useView(open);
  return {
    ...view,
    state: session ? view.state : progress.state,
    error: session ? view.error : progress.error,
    session,
    audio: open?.audio,
    connect,
    disconnect,
    sendText: useCallback((text: string) => session?.sendText(text), [session]),
    interrupt: useCallback(() => session?.interrupt(), [session]),
  };
}

const idle = { state: 'idle' } as const;

/**
 * Opens the session and its audio, or neither. A session that closes while the user is asked for
 * the microphone has no audio: what is opened for it later is closed at once.
 */
async function opened(options: UseRealtimeSessionOptions, attempt: AbortController): Promise<Open> {
  const { audio: wanted = false, ...rest } = options;
  const { signal } = attempt;
  const until = rest.signal ? AbortSignal.any([rest.signal, signal]) : signal;
  const session = await RealtimeSession.connect({ ...rest, signal: until });
  let lost: ParleyError | undefined;
  const closed = new Promise<undefined>((resolve) => {
    session.on('state', ({ state, error }) => {
      lost = error;
      if (state !== 'closed') return;
      attempt.abort();
      resolve(undefined);
    });
  });
  signal.addEventListener('abort', () => session.close());
  if (signal.aborted) session.close();
  try {
    const audio =
      wanted === false
        ? undefined
        : await Promise.race([connectAudio(session, wanted === true ? {} : wanted), closed]);
    return { session, audio, error: () => lost };
  } catch (error) {
    session.close();
    throw error;
  }
}

type View = Pick<UseRealtimeSession, 'messages' | 'calls' | 'approvals' | 'activity'> & {
  readonly state: SessionState;
  readonly error: ParleyError | undefined;
};

const nothing: View = {
  state: 'closed',
  error: undefined,
  messages: [],
  calls: [],
  approvals: [],
  activity: 'idle',
};

/** Returns one object per change, as React expects. */
function useView(open: Open | undefined): View {
  const seen = useRef<View>(nothing);
  const subscribe = useCallback(
    (tell: () => void) => open?.session.onChange(tell) ?? (() => undefined),
    [open],
  );
  const read = useCallback(() => {
    if (!open) return nothing;
    const { state, messages, calls, approvals, activity } = open.session;
    const now: View = { state, error: open.error(), messages, calls, approvals, activity };
    const same = (Object.keys(now) as (keyof View)[]).every(
      (key) => now[key] === seen.current[key],
    );
    if (!same) seen.current = now;
    return seen.current;
  }, [open]);
  return useSyncExternalStore(subscribe, read, () => nothing);
}
