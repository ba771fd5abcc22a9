import { useEffect, useRef } from 'react';
import { isAbove } from '../../parts/keys.js';
import type { Call } from './call.js';
import type { TalkView } from './talk.js';

/**
 * Space talks (push-to-talk) or mutes; Esc interrupts the agent. Both keep their meaning in other
 * controls.
 */
export function useTalkKeys(call: Call, view: Pick<TalkView, 'press'>): void {
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (isAbove(event)) return;
      if (event.key === 'Escape') {
        const { activity } = call.now;
        if (activity === 'speaking' || activity === 'thinking') call.interrupt();
        return;
      }
      if (event.key !== ' ' || isControl(event.target)) return;
      event.preventDefault();
      if (event.repeat) return;
      const { press } = latest.current;
      if (press === 'hold') call.hold();
      if (press === 'mute' || press === 'unmute') call.toggleMute();
      if (press === 'start') void call.talk();
    };
    const up = (event: KeyboardEvent) => {
      if (event.key === ' ') call.release();
    };
    const leave = () => call.release();
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('blur', leave);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('blur', leave);
    };
  }, [call]);
}

/** Whether the space bar types a character or presses a control other than the talk button. */
function isControl(target: EventTarget | null): boolean {
  if (!(target instanceof Element) || target.hasAttribute('data-state')) return false;
  return target.closest('input, textarea, select, button, a, summary, [role="tab"]') !== null;
}
