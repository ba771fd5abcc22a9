/** A microphone or a speaker of the user's. */
export type AudioDevice = {
  /** For `deviceId` and `use`. */
  readonly id: string;
  /** The name that the system has for it. */
  readonly label: string;
  /** What it is. */
  readonly kind: 'microphone' | 'speaker';
};

/** Absent on pages that are not served over HTTPS. */
const media = (): MediaDevices | undefined => navigator.mediaDevices;

/** What there is to choose from. Browsers tell it only after the user has allowed the microphone, and some tell no speakers. */
export async function listDevices(): Promise<AudioDevice[]> {
  const devices = (await media()?.enumerateDevices()) ?? [];
  return devices.flatMap(({ deviceId: id, label, kind }) =>
    id === '' || kind === 'videoinput'
      ? []
      : { id, label, kind: kind === 'audioinput' ? ('microphone' as const) : ('speaker' as const) },
  );
}

/** Calls `listener` when something was plugged in or out, or named. Returns what ends that. */
export function onDevicesChange(listener: () => void): () => void {
  const own = () => listener();
  media()?.addEventListener('devicechange', own);
  return () => media()?.removeEventListener('devicechange', own);
}
