import { useCallback, useEffect, useRef, useState } from 'react';
import {
  listDevices,
  Microphone,
  onDevicesChange,
  type AudioDevice,
  type MicrophoneOptions,
} from '../audio/index.js';

export type UseMicrophone = {
  /** `ended`: it was unplugged, or its permission was revoked. */
  readonly state: 'off' | 'asking' | 'on' | 'ended';
  /** Why there is no microphone; the message is meant for the user. */
  readonly error: Error | undefined;
  /** Pass it to `useRealtimeSession` as `audio: { microphone }`. It is closed with the session. */
  readonly microphone: Microphone | undefined;
  readonly muted: boolean;
  /** The available microphones. Browsers reveal their names once one was allowed. */
  readonly devices: readonly AudioDevice[];
  /**
   * Asks for the microphone; call it in a click handler. If one is open, switches to that device.
   */
  readonly start: (deviceId?: string) => void;
  readonly stop: () => void;
  readonly mute: () => void;
  readonly unmute: () => void;
};

type Now = Pick<UseMicrophone, 'state' | 'error' | 'microphone' | 'muted'>;

const off: Now = { state: 'off', error: undefined, microphone: undefined, muted: false };

/** A microphone that is released when the component unmounts. */
export function useMicrophone(options: MicrophoneOptions = {}): UseMicrophone {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [now, setNow] = useState<Now>(off);
  const devices = useDevices(now.microphone);
  const held = useRef<Microphone | undefined>(undefined);
  /** Counts the requests, to discard results that arrive too late. */
  const asked = useRef(0);

  const stop = useCallback(() => {
    asked.current += 1;
    void held.current?.close();
    held.current = undefined;
    setNow(off);
  }, []);

  const start = useCallback((deviceId?: string) => {
    asked.current += 1;
    const mine = asked.current;
    const before = held.current?.closed === false ? held.current : undefined;
    setNow((was) => ({ ...was, state: 'asking', error: undefined }));
    const wanted = { ...latest.current, ...(deviceId !== undefined && { deviceId }) };
    const opening = before ? before.use(deviceId).then(() => before) : Microphone.open(wanted);
    opening.then(
      (microphone) => {
        if (asked.current !== mine) return void (before ?? microphone.close());
        held.current = microphone;
        if (!before) {
          microphone.onEnded((error) => setNow((was) => ({ ...was, state: 'ended', error })));
          microphone.onClosed(() => setNow((was) => (was.microphone === microphone ? off : was)));
        }
        setNow({ state: 'on', error: undefined, microphone, muted: microphone.muted });
      },
      (error: unknown) => {
        if (asked.current !== mine) return;
        setNow({ ...kept(held.current), error: error as Error });
      },
    );
  }, []);

  useEffect(() => stop, [stop]);

  const setMuted = useCallback((muted: boolean) => {
    const { current } = held;
    if (muted) current?.mute();
    else current?.unmute();
    setNow((was) => ({ ...was, muted: current?.muted ?? false }));
  }, []);
  return {
    ...now,
    devices,
    start,
    stop,
    mute: useCallback(() => setMuted(true), [setMuted]),
    unmute: useCallback(() => setMuted(false), [setMuted]),
  };
}

/** What remains when no other microphone could be opened. */
function kept(microphone: Microphone | undefined): Now {
  if (microphone?.closed !== false) return off;
  const { problem, muted } = microphone;
  return { state: problem ? 'ended' : 'on', error: problem, microphone, muted };
}

/** The names are known once a microphone was allowed. */
function useDevices(allowed: Microphone | undefined): readonly AudioDevice[] {
  const [devices, setDevices] = useState<readonly AudioDevice[]>([]);
  useEffect(() => {
    const look = () => {
      void listDevices().then((all) => setDevices(all.filter(({ kind }) => kind === 'microphone')));
    };
    look();
    return onDevicesChange(look);
  }, [allowed]);
  return devices;
}
