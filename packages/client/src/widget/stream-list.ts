import { cardNode } from './card-node.js';
import { element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { messageNode, thinkingNode, type EntryNode } from './message-node.js';
import type { Decision } from './situation.js';
import type { EntryView } from './stream-view.js';
import type { Texts } from './texts.js';

type StreamContext = {
  readonly texts: Texts;
  readonly decide: (callId: string, decision: Decision) => void;
};

/** The conversation as a list that follows new entries, unless the reader has scrolled back. */
export class StreamList {
  readonly node: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #greeting = element('p', { dir: 'auto' });
  readonly #hint = element('p', { dir: 'auto' });
  readonly #list = element('ol', { class: 'entries' });
  readonly #latest: HTMLButtonElement;
  readonly #nodes = new Map<string, EntryNode<never>>();
  readonly #context: StreamContext;

  constructor(context: StreamContext) {
    const { texts } = context;
    this.#context = context;
    this.#scroller = element(
      'div',
      {
        class: 'stream',
        part: 'stream',
        tabindex: '0',
        role: 'log',
        'aria-live': 'off',
        'aria-label': texts.conversation,
      },
      element('div', { class: 'greeting', part: 'greeting' }, this.#greeting, this.#hint),
      this.#list,
    );
    this.#latest = element(
      'button',
      { type: 'button', class: 'latest', 'aria-label': texts.latest, hidden: true },
      icon('down'),
    );
    this.#latest.addEventListener('click', () => this.toEnd());
    this.#scroller.addEventListener('scroll', () => this.#showLatest(), { passive: true });
    this.node = element('div', { class: 'middle' }, this.#scroller, this.#latest);
  }

  setGreeting(greeting: string): void {
    setText(this.#greeting, greeting);
  }

  setHint(hint: string): void {
    setText(this.#hint, hint);
  }

  update(entries: readonly EntryView[]): void {
    const wasAtEnd = this.#isAtEnd();
    const keys = new Set(entries.map(({ key }) => key));
    for (const [key, { node }] of this.#nodes) {
      if (keys.has(key)) continue;
      node.remove();
      this.#nodes.delete(key);
    }
    entries.forEach((entry, at) => {
      const { node } = this.#upToDate(entry);
      const there = this.#list.children.item(at);
      if (there !== node) this.#list.insertBefore(node, there);
    });
    if (wasAtEnd) this.toEnd();
    this.#showLatest();
  }

  toEnd(): void {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  #upToDate(entry: EntryView): EntryNode<never> {
    const known: EntryNode<EntryView> | undefined = this.#nodes.get(entry.key);
    if (known) known.update(entry);
    const current = known ?? this.#made(entry);
    this.#nodes.set(entry.key, current);
    return current;
  }

  #made(entry: EntryView): EntryNode<never> {
    switch (entry.kind) {
      case 'message':
        return messageNode(entry, this.#context.texts);
      case 'card':
        return cardNode(entry, this.#context);
      case 'thinking':
        return thinkingNode(this.#context.texts);
    }
  }

  #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight < 48;
  }

  #showLatest(): void {
    setAttribute(this.#latest, 'hidden', this.#isAtEnd());
  }
}
