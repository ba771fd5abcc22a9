import { useSyncExternalStore } from 'react';

/** The alerts that the user switched on in this browser, for new approvals. */
export type Alerts = { readonly sound: boolean; readonly notification: boolean };

const place = 'parley-approval-alerts';
const none: Alerts = { sound: false, notification: false };

export function parseAlerts(text: string | null): Alerts {
  try {
    const { sound, notification } = JSON.parse(text ?? '{}') as Partial<Alerts>;
    return { sound: sound === true, notification: notification === true };
  } catch {
    return none;
  }
}

let known: { readonly text: string | null; readonly alerts: Alerts } = { text: null, alerts: none };

/** Returns the same object until something changes. */
export function readAlerts(): Alerts {
  const text = localStorage.getItem(place);
  if (known.text !== text) known = { text, alerts: parseAlerts(text) };
  return known.alerts;
}

const listeners = new Set<() => void>();

export function setAlerts(changes: Partial<Alerts>): void {
  localStorage.setItem(place, JSON.stringify({ ...readAlerts(), ...changes }));
  for (const tell of listeners) tell();
}

export function useAlerts(): Alerts {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    addEventListener('storage', tell);
    return () => {
      listeners.delete(tell);
      removeEventListener('storage', tell);
    };
  }, readAlerts);
}

let audio: AudioContext | undefined;

/** Two short tones. Browsers that require a user gesture first stay silent. */
export function playAlert(): void {
  audio ??= new AudioContext();
  void audio.resume();
  const start = audio.currentTime;
  for (const [at, frequency] of [
    [0, 660],
    [0.16, 880],
  ] as const) {
    const tone = new OscillatorNode(audio, { frequency });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start + at);
    volume.gain.linearRampToValueAtTime(0.12, start + at + 0.02);
    volume.gain.linearRampToValueAtTime(0, start + at + 0.14);
    tone.connect(volume).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.15);
  }
}

const soundedPlace = 'parley-approval-sounded';

/** Whether this tab, of several, plays the sound for an approval. */
export function claimSound(approvalId: string): boolean {
  if (localStorage.getItem(soundedPlace) === approvalId) return false;
  localStorage.setItem(soundedPlace, approvalId);
  return true;
}
