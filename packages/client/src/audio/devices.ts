/** One of the user's microphones or speakers. */
export type AudioDevice = {
  /** Pass it as `deviceId`, or to `use`. */
  readonly id: string;
  /** The system's name for the device. */
  readonly label: string;
  /** The type of the device. */
  readonly kind: 'microphone' | 'speaker';
};

/** Undefined on pages that are not served over HTTPS. */
const media = (): MediaDevices | undefined => navigator.mediaDevices;

/**
 * Lists the available devices. Browsers return them only after the user has allowed the microphone,
 * and some list no speakers.
 */
export async function listDevices(): Promise<AudioDevice[]> {
  const devices = (await media()?.enumerateDevices()) ?? [];
  return devices.flatMap(({ deviceId: id, label, kind }) =>
    id === '' || kind === 'videoinput'
      ? []
      : { id, label, kind: kind === 'audioinput' ? ('microphone' as const) : ('speaker' as const) },
  );
}

/**
 * Calls `listener` when a device is added, removed or renamed. Returns a function that removes the
 * listener.
 */
export function onDevicesChange(listener: () => void): () => void {
  const own = () => listener();
  media()?.addEventListener('devicechange', own);
  return () => media()?.removeEventListener('devicechange', own);
}
