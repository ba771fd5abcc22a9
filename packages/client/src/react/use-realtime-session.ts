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
};
type Attempt = { readonly leave: AbortController };

/**
 * A session and everything a page shows of it. The session is closed when the component unmounts.
 */
export function useRealtimeSession(options: UseRealtimeSessionOptions): UseRealtimeSession {
  const latest = useRef(options);
  const attempt = useRef<Attempt | undefined>(undefined);
  const [open, setOpen] = useState<Open>();
  const [progress, setProgress] = useState<{
    state: 'idle' | 'connecting' | 'closed';
    error?: Error;
  }>(idle);
  useEffect(() => {
    latest.current = options;
  });

  const disconnect = useCallback(() => {
    attempt.current?.leave.abort();
    attempt.current = undefined;
  }, []);

  const connect = useCallback(() => {
    if (attempt.current) return;
    const own: Attempt = { leave: new AbortController() };
    attempt.current = own;
    const over = () => {
      if (attempt.current === own) attempt.current = undefined;
    };
    setOpen(undefined);
    setProgress({ state: 'connecting' });
    opened(latest.current, own.leave.signal).then(
      (now) => {
        now.session.on('state', ({ state }) => {
          if (state === 'closed') over();
        });
        own.leave.signal.addEventListener('abort', () => now.session.close());
        setOpen(now);
      },
      (error: unknown) => {
        over();
        setProgress({ state: 'closed', error: error as Error });
      },
    );
  }, []);

  useEffect(() => disconnect, [disconnect]);
  const session = open?.session;
  const view = useView(session);
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

/** Opens the session and its audio, or neither. */
async function opened(options: UseRealtimeSessionOptions, signal: AbortSignal): Promise<Open> {
  const { audio: wanted = false, ...rest } = options;
  const until = rest.signal ? AbortSignal.any([rest.signal, signal]) : signal;
  const session = await RealtimeSession.connect({ ...rest, signal: until });
  try {
    const audio =
      wanted === false ? undefined : await connectAudio(session, wanted === true ? {} : wanted);
    if (signal.aborted) session.close();
    return { session, audio };
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
function useView(session: RealtimeSession | undefined): View {
  const seen = useRef<View>(nothing);
  const lost = useRef<ParleyError | undefined>(undefined);
  const subscribe = useCallback(
    (tell: () => void) => {
      const stops = session
        ? [
            session.on('state', ({ error }) => {
              lost.current = error;
            }),
            session.onChange(tell),
          ]
        : [];
      return () => {
        for (const stop of stops) stop();
      };
    },
    [session],
  );
  const read = useCallback(() => {
    if (!session) return nothing;
    const { state, messages, calls, approvals, activity } = session;
    const now: View = { state, error: lost.current, messages, calls, approvals, activity };
    const same = (Object.keys(now) as (keyof View)[]).every(
      (key) => now[key] === seen.current[key],
    );
    if (!same) seen.current = now;
    return seen.current;
  }, [session]);
  return useSyncExternalStore(subscribe, read, () => nothing);
}
