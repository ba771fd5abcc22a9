import { element, setAttribute, setText } from './dom.js';
import { icon, type IconName } from './icons.js';
import type { TalkState, TalkView } from './talk-view.js';

export type TalkActions = {
  start(): void;
  stop(): void;
  interrupt(): void;
  hold(): void;
  release(): void;
  toggleMute(): void;
};

/** The icon shows what a press does. */
const icons: Readonly<Record<TalkState, IconName>> = {
  idle: 'microphone',
  ready: 'microphone',
  connecting: 'microphone',
  listening: 'stop',
  thinking: 'stop',
  speaking: 'stop',
  muted: 'stop',
  offline: 'offline',
  reconnecting: 'offline',
};

const iconOf = ({ state, press }: TalkView) => (press === 'hold' ? 'microphone' : icons[state]);

function sideIcon({ mute, stop }: TalkView): IconName {
  if (stop !== null) return 'close';
  return mute?.pressed === true ? 'microphoneOff' : 'microphone';
}

/** The talk button with its state and level, and the small button beside it. */
export class TalkBar {
  readonly node: HTMLElement;
  readonly #button = element('button', { type: 'button', class: 'talk', part: 'talk' });
  readonly #label = element('span', { class: 'label' });
  readonly #hint = element('span', { class: 'hint' });
  readonly #icon = element('span', { class: 'talk-icon' });
  readonly #meter = element('span', { class: 'meter', 'aria-hidden': 'true' });
  readonly #dots = element('span', { class: 'dots', 'aria-hidden': 'true' });
  readonly #side = element('button', { type: 'button', class: 'side', part: 'mute' });
  readonly #actions: TalkActions;
  #view: TalkView | null = null;
  #isHeld = false;
  /** The button is down and was meant to be held: to let it go is no press, whatever it does now. */
  #isDown = false;

  constructor(actions: TalkActions) {
    this.#actions = actions;
    this.#meter.append(...Array.from({ length: 5 }, () => element('i')));
    this.#dots.append(...Array.from({ length: 3 }, () => element('i')));
    const said = element('span', { class: 'said' }, this.#label, this.#hint);
    this.#button.append(this.#icon, said, this.#meter, this.#dots);
    this.node = element('div', { class: 'voice' }, this.#button, this.#side);
    this.#button.addEventListener('click', () => this.#press());
    this.#side.addEventListener('click', () =>
      this.#view?.stop == null ? actions.toggleMute() : actions.stop(),
    );
    this.#listenForHolding();
  }

  /** Whether holding a key anywhere in the panel may start talking. */
  get holds(): boolean {
    return this.#view?.press === 'hold';
  }

  focus(): void {
    this.#button.focus();
  }

  update(view: TalkView | null): void {
    setAttribute(this.node, 'hidden', view === null);
    const isNewIcon = view && (!this.#view || iconOf(view) !== iconOf(this.#view));
    this.#view = view;
    if (!view) return;
    const { state, label, hint, press, mute, stop } = view;
    setAttribute(this.#button, 'data-state', state);
    setAttribute(this.#button, 'aria-disabled', press === 'none' ? 'true' : false);
    setText(this.#label, label);
    setText(this.#hint, hint);
    if (isNewIcon) this.#icon.replaceChildren(icon(iconOf(view)));
    setAttribute(this.#meter, 'hidden', state !== 'listening' && state !== 'speaking');
    const isBusy = state === 'connecting' || state === 'thinking' || state === 'reconnecting';
    setAttribute(this.#dots, 'hidden', !isBusy);
    setAttribute(this.#side, 'hidden', mute === null && stop === null);
    setAttribute(this.#side, 'aria-label', mute?.label ?? stop ?? '');
    setAttribute(this.#side, 'title', mute?.label ?? stop ?? '');
    setAttribute(this.#side, 'aria-pressed', mute === null ? false : String(mute.pressed));
    this.#side.replaceChildren(icon(sideIcon(view)));
    if (press !== 'hold') this.release();
  }

  /** 0 to 1: loudness of the current speaker. */
  setLevel(level: number): void {
    this.#meter.style.setProperty('--level', level.toFixed(2));
  }

  hold(): void {
    if (this.#isHeld || !this.holds) return;
    this.#isHeld = true;
    this.#actions.hold();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#actions.release();
  }

  #press(): void {
    const press = this.#view?.press;
    if (this.#isDown) return;
    if (press === 'start' || press === 'stop' || press === 'interrupt') this.#actions[press]();
  }

  /** The click comes after this. */
  #letGo(): void {
    this.release();
    setTimeout(() => (this.#isDown = false));
  }

  /** By pointer, and by the keys that press a button. Losing the focus releases it. */
  #listenForHolding(): void {
    const button = this.#button;
    button.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.holds) return;
      button.setPointerCapture(event.pointerId);
      this.#isDown = true;
      this.hold();
    });
    button.addEventListener('keydown', (event) => {
      if ((event.key === ' ' || event.key === 'Enter') && this.holds) {
        event.preventDefault();
        this.#isDown = true;
        this.hold();
      }
    });
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture', 'blur'])
      button.addEventListener(type, () => this.#letGo());
    button.addEventListener('keyup', (event) => {
      if (event.key === ' ' || event.key === 'Enter') this.#letGo();
    });
    button.addEventListener('contextmenu', (event) => {
      if (this.holds) event.preventDefault();
    });
  }
}
