import { element, setAttribute, setText } from './dom.js';
import { withLinks } from './safe-link.js';
import type { MessageView } from './stream-view.js';
import type { Texts } from './texts.js';

/** An entry of the stream: created once, then updated. */
export type EntryNode<View> = { readonly node: HTMLElement; update(view: View): void };

export function messageNode(first: MessageView, texts: Texts): EntryNode<MessageView> {
  const words = element('div', { class: 'words', part: `message ${first.role}`, dir: 'auto' });
  const note = element('div', { class: 'note' });
  const who = element('span', { class: 'unseen' }, first.role === 'user' ? texts.you : texts.agent);
  const node = element('li', { class: `message ${first.role}` }, who, words, note);
  let shown: string | undefined;
  const update = (view: MessageView) => {
    const next = JSON.stringify([view.text, view.unheard]);
    if (shown !== next) words.replaceChildren(...(view.text === '' ? dots() : spoken(view)));
    shown = next;
    setText(note, view.note ?? '');
    setAttribute(note, 'hidden', view.note === null);
    setAttribute(node, 'data-final', view.isFinal);
  };
  update(first);
  return { node, update };
}

export function thinkingNode(texts: Texts): EntryNode<unknown> {
  const words = element('div', { class: 'words', part: 'message assistant' }, ...dots());
  const unseen = element('span', { class: 'unseen' }, texts.thinkingNow);
  const node = element('li', { class: 'message assistant' }, unseen, words);
  return { node, update: () => undefined };
}

const dots = () => [element('span', { class: 'dots' }, element('i'), element('i'), element('i'))];

function spoken({ text, unheard }: MessageView): (Node | string)[] {
  if (unheard === '') return partsOf(text);
  return [...partsOf(text.slice(0, text.length - unheard.length)), element('s', {}, unheard)];
}

function partsOf(text: string): (Node | string)[] {
  return withLinks(text).map((part) =>
    part.href === undefined ? part.text : linkTo(part.href, part.text),
  );
}

/** Opens another page, which gets no reference to this one. */
export function linkTo(href: string, label: string): HTMLAnchorElement {
  return element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, label);
}
