import { element, setAttribute } from './dom.js';
import { icon } from './icons.js';
import type { Texts } from './texts.js';

/** The message field. Enter sends, Shift+Enter starts a new line. */
export class Composer {
  readonly node: HTMLFormElement;
  readonly #field: HTMLTextAreaElement;
  readonly #button: HTMLButtonElement;
  #canWrite = true;

  constructor(texts: Texts, send: (text: string) => void) {
    this.#field = element('textarea', {
      rows: '1',
      dir: 'auto',
      maxlength: '8000',
      placeholder: texts.placeholder,
      'aria-label': texts.placeholder,
      enterkeyhint: 'send',
      autocomplete: 'off',
    });
    this.#button = element(
      'button',
      { type: 'submit', class: 'send', part: 'send', 'aria-label': texts.send },
      icon('send'),
    );
    this.node = element('form', { class: 'composer', part: 'composer' }, this.#field, this.#button);
    this.#field.addEventListener('input', () => this.#refresh());
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.node.requestSubmit();
    });
    this.node.addEventListener('submit', (event) => {
      event.preventDefault();
      const text = this.#field.value.trim();
      if (text === '' || !this.#canWrite) return;
      this.value = '';
      send(text);
    });
    this.#refresh();
  }

  get value(): string {
    return this.#field.value;
  }

  set value(text: string) {
    this.#field.value = text;
    this.#refresh();
  }

  /** The text could not be sent. What was typed since follows it. */
  putBack(text: string): void {
    this.value = this.value.trim() === '' ? text : `${text}\n${this.value}`;
  }

  focus(): void {
    this.#field.focus({ preventScroll: true });
  }

  /** The text is kept until it can be sent. */
  update(canWrite: boolean): void {
    this.#canWrite = canWrite;
    this.#refresh();
  }

  #refresh(): void {
    setAttribute(this.#button, 'disabled', !this.#canWrite || this.#field.value.trim() === '');
  }
}
