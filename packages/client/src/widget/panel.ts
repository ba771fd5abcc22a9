import { Composer } from './composer.js';
import { element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import type { NoticeAction, NoticeView } from './notice-view.js';
import type { Decision } from './situation.js';
import { StreamList } from './stream-list.js';
import { TalkBar, type TalkActions } from './talk-bar.js';
import type { Texts } from './texts.js';
import { announcements, type View } from './view.js';

export type PanelActions = TalkActions & {
  toggle(): void;
  close(): void;
  write(text: string): void;
  readonly decide: (callId: string, decision: Decision) => void;
  act(action: NoticeAction): void;
};

export type Appearance = {
  readonly heading: string;
  readonly greeting: string;
  readonly isOpen: boolean;
  readonly isInline: boolean;
  readonly scheme: 'light' | 'dark' | 'page';
};

const fullScreen = '(max-width: 480px)';

/** The content of the shadow root: built once per language, then updated. */
export class Panel {
  readonly node = element('div', { class: 'frame' });
  readonly composer: Composer;
  readonly talkBar: TalkBar;
  readonly texts: Texts;
  readonly #stream: StreamList;
  readonly #launcher: HTMLButtonElement;
  readonly #dialog: HTMLElement;
  readonly #heading = element('h2', { id: 'heading', part: 'heading', dir: 'auto' });
  readonly #status = element('p', { class: 'status' });
  readonly #statusText = element('span');
  readonly #notice: HTMLElement;
  readonly #footer = element('footer', { part: 'footer' });
  readonly #spoken = element('div', { class: 'unseen', role: 'log', 'aria-live': 'polite' });
  readonly #actions: PanelActions;
  #view: View | undefined;
  #shownNotice = '';

  constructor(texts: Texts, actions: PanelActions) {
    this.texts = texts;
    this.#actions = actions;
    this.#stream = new StreamList({ texts, decide: actions.decide });
    this.composer = new Composer(texts, (text) => actions.write(text));
    this.talkBar = new TalkBar(actions);
    this.#launcher = element('button', {
      type: 'button',
      class: 'launcher',
      part: 'launcher',
      'aria-haspopup': 'dialog',
      'aria-controls': 'panel',
    });
    this.#launcher.addEventListener('click', () => actions.toggle());
    this.#notice = element('div', { class: 'notice', part: 'notice', role: 'status' });
    this.#footer.append(this.talkBar.node, this.composer.node);
    this.#dialog = element(
      'section',
      { id: 'panel', class: 'panel', part: 'panel', tabindex: '-1', 'aria-labelledby': 'heading' },
      this.#header(),
      this.#stream.node,
      this.#notice,
      this.#footer,
    );
    this.node.append(this.#launcher, this.#dialog, this.#spoken);
  }

  get dialog(): HTMLElement {
    return this.#dialog;
  }

  /** Receives the focus when the panel closes. */
  get launcher(): HTMLElement {
    return this.#launcher;
  }

  dress({ heading, greeting, isOpen, isInline, scheme }: Appearance): void {
    setText(this.#heading, heading);
    this.#stream.setGreeting(greeting);
    setAttribute(this.node, 'data-scheme', scheme === 'page' ? false : scheme);
    setAttribute(this.node, 'data-inline', isInline);
    const wasOpen = this.node.hasAttribute('data-open');
    setAttribute(this.node, 'data-open', isOpen);
    setAttribute(this.#dialog, 'hidden', !isOpen && !isInline);
    setAttribute(this.#dialog, 'role', isInline ? 'region' : 'dialog');
    const hidesPage = !isInline && matchMedia(fullScreen).matches;
    setAttribute(this.#dialog, 'aria-modal', hidesPage ? 'true' : false);
    setAttribute(this.#launcher, 'aria-expanded', String(isOpen));
    if (isOpen !== wasOpen || !this.#launcher.firstChild) {
      this.#launcher.replaceChildren(icon(isOpen ? 'down' : 'chat'));
      this.#stream.toEnd();
    }
    this.#markWaiting();
  }

  /** The call of the card that contains `part`, if the user may decide it. */
  cardOf(part: EventTarget | undefined): string | undefined {
    const place = part instanceof Element ? part.closest('.card')?.getAttribute('data-key') : null;
    const entry = this.#view?.entries.find(({ key }) => key === place);
    const approval = entry?.kind === 'card' ? entry.approval : null;
    return approval?.canDecide === true ? approval.callId : undefined;
  }

  /**
   * A full-screen panel hides the page, so it traps the focus. Beside the page, the focus moves on
   * to the page.
   */
  keepFocus(event: KeyboardEvent): void {
    if (this.node.hasAttribute('data-inline') || !matchMedia(fullScreen).matches) return;
    const stops = [
      ...this.#dialog.querySelectorAll<HTMLElement>(
        'button:enabled, textarea, summary, a[href], [tabindex="0"]',
      ),
    ].filter((each) => each.checkVisibility());
    const [first, last] = [stops.at(0), stops.at(-1)];
    const end = event.shiftKey ? first : last;
    if (event.composedPath()[0] !== end) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }

  update(view: View): void {
    setAttribute(this.#status, 'data-tone', view.status.tone);
    setText(this.#statusText, view.status.text);
    this.#stream.setHint(view.greetingHint);
    this.#stream.update(view.entries);
    this.talkBar.update(view.talk);
    this.composer.update(view.canWrite);
    const isWriting = this.#footer.matches(':focus-within');
    const isReading = this.#notice.matches(':focus-within');
    setAttribute(this.#footer, 'hidden', view.isOver);
    this.#updateNotice(view.notice);
    const isGone = isReading && !this.#notice.matches(':focus-within');
    if (isGone || (isWriting && view.isOver)) this.#focusNext();
    for (const text of announcements(this.#view, view, this.texts)) this.#say(text);
    this.#view = view;
    this.#markWaiting();
  }

  /** On a phone the keyboard would cover the panel, so the panel itself gets the focus. */
  focusFirst(): void {
    if (matchMedia('(pointer: coarse)').matches) this.#dialog.focus({ preventScroll: true });
    else this.composer.focus();
  }

  /** The focused element was removed. */
  #focusNext(): void {
    const action = this.#notice.querySelector('button');
    if (action) action.focus();
    else this.focusFirst();
  }

  #header(): HTMLElement {
    this.#status.append(element('i', { class: 'dot' }), this.#statusText);
    const close = element(
      'button',
      {
        type: 'button',
        class: 'icon-button close',
        part: 'close',
        'aria-label': this.texts.close,
        title: this.texts.close,
      },
      icon('close'),
    );
    close.addEventListener('click', () => this.#actions.close());
    const titles = element('div', { class: 'titles' }, this.#heading, this.#status);
    return element('header', { part: 'header' }, titles, close);
  }

  #updateNotice(notice: NoticeView | null): void {
    const next = JSON.stringify(notice);
    if (next === this.#shownNotice) return;
    this.#shownNotice = next;
    setAttribute(this.#notice, 'hidden', notice === null);
    this.#notice.replaceChildren();
    if (!notice) return;
    const words = element(
      'div',
      {},
      element('strong', {}, notice.title),
      element('p', {}, notice.text),
    );
    setAttribute(this.#notice, 'data-tone', notice.tone);
    this.#notice.replaceChildren(words);
    const { action } = notice;
    if (!action) return;
    const button = element(
      'button',
      { type: 'button', class: 'act', part: 'button' },
      action.label,
    );
    button.addEventListener('click', () => this.#actions.act(action.name));
    this.#notice.append(button);
  }

  /** While the panel is closed, the button shows that an approval is pending. */
  #markWaiting(): void {
    const { launch, close, waiting } = this.texts;
    const isOpen = this.node.hasAttribute('data-open');
    const waits =
      !isOpen &&
      this.#view?.entries.some((entry) => entry.kind === 'card' && entry.approval?.canDecide) ===
        true;
    const closed = waits ? `${launch}: ${waiting}` : launch;
    setAttribute(this.#launcher, 'aria-label', isOpen ? close : closed);
    const badge = this.#launcher.querySelector('.badge');
    if (waits && !badge) this.#launcher.append(element('i', { class: 'badge' }));
    if (!waits) badge?.remove();
  }

  #say(text: string): void {
    this.#spoken.append(element('p', {}, text));
    while (this.#spoken.childElementCount > 5) this.#spoken.firstElementChild?.remove();
  }
}
