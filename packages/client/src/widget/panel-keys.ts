import type { Controller } from './controller.js';
import type { Panel } from './panel.js';
import { nextApproval } from './stream-view.js';
import { talkState } from './talk-view.js';

export type Keys = {
  readonly panel: Panel;
  readonly controller: Controller;
  readonly close: () => void;
};

/**
 * Keyboard shortcuts of the panel: Escape, space for push-to-talk, A and R for a pending approval.
 * They do not apply while the user types into the field.
 */
export function keyDown(event: KeyboardEvent, keys: Keys): void {
  const { panel } = keys;
  const target = event.composedPath()[0];
  const isTyping = target instanceof HTMLTextAreaElement;
  const isPlain = !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'Escape') escape(event, keys);
  else if (event.key === 'Tab') panel.keepFocus(event);
  else if (isTyping || !isPlain) return;
  else if (event.key === ' ' && panel.talkBar.holds && !isPressable(target)) {
    event.preventDefault();
    panel.talkBar.hold();
  } else if (/^[ar]$/i.test(event.key)) decideByKey(event, keys);
}

/** Decides the card that has the focus, otherwise the one that shows the keys. */
function decideByKey(event: KeyboardEvent, { panel, controller }: Keys): void {
  const callId =
    panel.cardOf(event.composedPath()[0]) ?? nextApproval(controller.situation)?.callId;
  if (callId === undefined) return;
  event.preventDefault();
  controller.decide(callId, event.key.toLowerCase() === 'a' ? 'approved' : 'rejected');
}

export function keyUp(event: KeyboardEvent, { panel }: Keys): void {
  if (event.key === ' ') panel.talkBar.release();
}

/** First silences the agent, then closes the panel. The page's own dialogs are left alone. */
function escape(event: KeyboardEvent, { controller, close }: Keys): void {
  event.stopPropagation();
  if (event.isComposing) return;
  if (talkState(controller.situation) === 'speaking') controller.interrupt();
  else close();
}

function isPressable(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.closest('button, summary, a') !== null;
}
