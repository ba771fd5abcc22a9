import type { ParleyError } from '../errors.js';
import type { ClientTool, CreateSession } from '../session/connect-options.js';
import type { SessionProblem } from '../session/session-events.js';
import { Controller, type Settings } from './controller.js';
import { createAt } from './create-session.js';
import { pageScheme } from './page-scheme.js';
import { Panel } from './panel.js';
import { keyDown, keyUp } from './panel-keys.js';
import { styleSheet } from './styles.js';
import { textsFor, type Texts } from './texts.js';
import { viewOf } from './view.js';

/**
 * The guide documents the attributes; `attributeChangedCallback` handles the ones that need more
 * than a re-render.
 */
const attributes = [
  'create',
  'base-url',
  'lang',
  'texts',
  'heading',
  'greeting',
  'mode',
  'talk',
  'theme',
  'open',
  'inline',
] as const;

/** Properties that a page may set before the element is defined. */
const settable = ['create', 'tools', 'texts', 'open'] as const;

/**
 * The script's own origin if a service serves it; in the page's own bundle, that is the page's
 * origin.
 */
export function defaultBaseUrl(script: string, page: string): string {
  return /\/widget\.js(?:\?|$)/.test(script) ? new URL(script).origin : page;
}

/** On a server there are no elements, but importing the widget must not fail there. */
const Base = 'HTMLElement' in globalThis ? HTMLElement : (Object as unknown as typeof HTMLElement);

/** `<parley-agent>`: a button that opens a conversation with an agent. */
export class ParleyAgentElement extends Base {
  /** @internal */
  static readonly observedAttributes = attributes;
  #tools: Readonly<Record<string, ClientTool>> = {};
  #create: CreateSession | undefined;
  #texts: Partial<Texts> | undefined;
  #controller: Controller | undefined;
  #panel: Panel | undefined;
  #frame = 0;

  /** Your function that requests a session from your backend, or the URL that does. */
  get create(): CreateSession | string | null {
    return this.#create ?? this.getAttribute('create');
  }

  set create(create: CreateSession | string | null) {
    this.#create = typeof create === 'function' ? create : undefined;
    if (typeof create === 'string') this.setAttribute('create', create);
  }

  /** Functions that the agent may call in the page; they apply to the next session. */
  get tools(): Readonly<Record<string, ClientTool>> {
    return this.#tools;
  }

  set tools(tools: Readonly<Record<string, ClientTool>>) {
    this.#tools = tools;
  }

  /** Your own texts, which override the widget's. */
  get texts(): Partial<Texts> {
    return this.#texts ?? parsed(this.getAttribute('texts'));
  }

  set texts(texts: Partial<Texts>) {
    const isSame = JSON.stringify(texts) === JSON.stringify(this.texts);
    this.#texts = texts;
    // A framework may set equal texts again and again, and what is built anew loses the focus.
    if (!isSame) this.#build();
  }

  /** Whether the panel is open. */
  get open(): boolean {
    return this.hasAttribute('open');
  }

  set open(open: boolean) {
    this.toggleAttribute('open', open);
  }

  /** @internal */
  connectedCallback(): void {
    for (const name of settable) this.#upgrade(name);
    if (this.#controller) return;
    if (!this.shadowRoot) this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [styleSheet()];
    this.#controller = new Controller({
      settings: () => this.#settings(),
      onChange: () => this.#show(),
      onError: (error) => this.#dispatch('parley-error', error),
      onUnsent: (text) => this.#panel?.composer.putBack(text),
    });
    this.#build();
  }

  /**
   * An element that was only moved stays connected.
   * @internal
   */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#controller?.dispose();
      this.#controller = undefined;
      this.#panel = undefined;
      this.shadowRoot?.replaceChildren();
    });
  }

  /** @internal */
  attributeChangedCallback(name: (typeof attributes)[number], before: unknown, now: unknown): void {
    if (before === now || !this.#controller) return;
    if (name === 'lang' || name === 'texts') this.#build();
    if (name === 'mode' || name === 'talk') this.#controller.adjust();
    if (name === 'open') this.#opened();
    this.#dress();
  }

  #settings(): Settings {
    const { create } = this;
    return {
      create: typeof create === 'function' ? create : createAt(create),
      baseUrl: this.getAttribute('base-url') ?? defaultBaseUrl(import.meta.url, location.origin),
      tools: this.tools,
      mode: this.getAttribute('mode') === 'text' ? 'text' : 'voice',
      talk: this.getAttribute('talk') === 'push' ? 'push' : 'hands-free',
    };
  }

  #language(): string {
    const place = this.closest('[lang]')?.getAttribute('lang');
    return place === null || place === undefined || place === '' ? navigator.language : place;
  }

  /** Builds the shadow root, in the element's language. */
  #build(): void {
    const controller = this.#controller;
    if (!controller || !this.shadowRoot) return;
    const written = this.#panel?.composer.value ?? '';
    const panel = new Panel(textsFor(this.#language(), this.texts), {
      toggle: () => this.#toggle(),
      close: () => (this.open = false),
      write: (text) => void controller.write(text),
      decide: (callId, decision) => controller.decide(callId, decision),
      act: (action) => controller.act(action),
      start: () => void controller.talk(),
      stop: () => controller.hush(),
      interrupt: () => controller.interrupt(),
      hold: () => controller.hold(),
      release: () => controller.release(),
      toggleMute: () => controller.toggleMute(),
    });
    const keys = { panel, controller, close: () => !this.#isInline && (this.open = false) };
    panel.dialog.addEventListener('keydown', (event) => keyDown(event, keys));
    panel.dialog.addEventListener('keyup', (event) => keyUp(event, keys));
    panel.composer.value = written;
    this.#panel = panel;
    this.shadowRoot.replaceChildren(panel.node);
    this.#show();
    this.#dress();
  }

  get #isInline(): boolean {
    return this.hasAttribute('inline');
  }

  #show(): void {
    if (!this.#controller || !this.#panel) return;
    this.#panel.update(viewOf(this.#controller.situation, this.#panel.texts));
    if (this.#controller.isTalking && this.#frame === 0) this.#animate();
  }

  #dress(): void {
    if (!this.#controller || !this.#panel) return;
    const { texts } = this.#panel;
    const theme = this.getAttribute('theme');
    this.#panel.dress({
      heading: this.getAttribute('heading') ?? texts.heading,
      greeting: this.getAttribute('greeting') ?? texts.greeting,
      isOpen: this.open,
      isInline: this.#isInline,
      scheme: theme === 'light' || theme === 'dark' ? theme : pageScheme(document),
    });
  }

  #toggle(): void {
    this.open = !this.open;
    if (this.open) this.#panel?.focusFirst();
  }

  /** A closed panel does not listen, because nobody could see that the microphone is on. */
  #opened(): void {
    const panel = this.#panel;
    if (!this.open && !this.#isInline) {
      this.#controller?.hush();
      if (panel?.dialog.contains(this.shadowRoot?.activeElement ?? null)) panel.launcher.focus();
    }
    this.#dispatch(this.open ? 'parley-open' : 'parley-close');
  }

  /** Updates the levels and how much was heard, while there is sound. */
  #animate(): void {
    let wasPlaying = false;
    const draw = () => {
      const controller = this.#controller;
      if (!controller?.isTalking) {
        this.#frame = 0;
        return;
      }
      this.#panel?.talkBar.setLevel(controller.level);
      if (controller.isPlaying !== wasPlaying) this.#show();
      wasPlaying = controller.isPlaying;
      this.#frame = requestAnimationFrame(draw);
    };
    this.#frame = requestAnimationFrame(draw);
  }

  #dispatch(type: string, detail?: ParleyError | SessionProblem): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #upgrade(name: (typeof settable)[number]): void {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    Reflect.deleteProperty(this, name);
    Object.assign(this, { [name]: value });
  }
}

function parsed(json: string | null): Partial<Texts> {
  try {
    return JSON.parse(json ?? '{}') as Partial<Texts>;
  } catch {
    return {};
  }
}
