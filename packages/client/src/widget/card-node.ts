import { element, setAttribute, setText } from './dom.js';
import { icon } from './icons.js';
import { linkTo, type EntryNode } from './message-node.js';
import type { Row, Rows } from './readable-arguments.js';
import type { Decision } from './situation.js';
import type { ApprovalView, CardView } from './stream-view.js';
import { fill, type Texts } from './texts.js';

type CardContext = {
  readonly texts: Texts;
  readonly decide: (callId: string, decision: Decision) => void;
};

const longValue = 240;

/** A tool call. It is rebuilt when its state changes; while it waits, only its clock is updated. */
export function cardNode(first: CardView, context: CardContext): EntryNode<CardView> {
  const node = element('li', {
    class: 'card',
    part: 'card',
    tabindex: '-1',
    'data-key': first.key,
  });
  let signature = '';
  let setClock: (view: ApprovalView) => void = () => undefined;
  const update = (view: CardView) => {
    const next = signatureOf(view);
    if (next !== signature) {
      const hadFocus = node.contains(focusedIn(node));
      const wasOpen = node.querySelector('details')?.open === true;
      node.replaceChildren(...partsOf(view, context));
      if (wasOpen) node.querySelector('details')?.setAttribute('open', '');
      setAttribute(node, 'data-tone', view.tone);
      setClock = clockOf(node);
      if (hadFocus) node.focus({ preventScroll: true });
      signature = next;
    }
    if (view.approval) setClock(view.approval);
  };
  update(first);
  return { node, update };
}

function signatureOf({ approval, ...rest }: CardView): string {
  return JSON.stringify([rest, approval?.canDecide, approval?.hasKeys]);
}

function focusedIn(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : null;
}

function clockOf(node: Element): (view: ApprovalView) => void {
  const clock = node.querySelector('.clock');
  return ({ clock: time, timeLeft, isUrgent }) => {
    if (!clock) return;
    setText(clock, time);
    setAttribute(clock, 'aria-label', timeLeft);
    setAttribute(clock, 'data-urgent', isUrgent);
  };
}

function partsOf(view: CardView, { texts, decide }: CardContext): Node[] {
  const state = element('div', { class: 'state' }, element('i', { class: 'dot' }), view.state);
  const top = element('div', { class: 'card-top' }, state);
  const title = element('div', { class: 'card-title', dir: 'auto' }, view.title);
  const parts: Node[] = [top, title];
  if (view.approval) {
    top.append(element('span', { class: 'clock', role: 'timer' }));
    parts.push(argumentList(view.details, texts));
    if (view.details.json !== null) parts.push(jsonFold(view.details.json, texts));
    parts.push(decisionButtons({ ...view.approval, title: view.title }, texts, decide));
  } else {
    const details = detailsFold(view, texts);
    if (details) parts.push(details);
  }
  if (view.link) {
    const link = linkTo(view.link.href, view.link.label);
    link.classList.add('card-link');
    link.append(icon('link'));
    parts.push(link);
  }
  return parts;
}

function argumentList({ rows, more }: Rows, texts: Texts): DocumentFragment {
  const parts = document.createDocumentFragment();
  const [only] = rows;
  if (only === undefined) parts.append(element('p', { class: 'card-none' }, texts.noArguments));
  else if (only.label === '')
    parts.append(
      element('p', { class: 'card-text', dir: 'auto' }, ...valueParts(only.value, texts)),
    );
  else parts.append(element('dl', {}, ...rows.map((row) => rowOf(row, texts))));
  if (more > 0)
    parts.append(
      element('p', { class: 'card-none' }, fill(texts.moreRows, { count: String(more) })),
    );
  return parts;
}

function rowOf({ label, value }: Row, texts: Texts): HTMLElement {
  return element(
    'div',
    {},
    element('dt', { dir: 'auto' }, label),
    element('dd', { dir: 'auto' }, ...valueParts(value, texts)),
  );
}

/** Long values are collapsed, but available in full to whoever decides. */
function valueParts(value: string, texts: Texts): Node[] {
  if (value.length <= longValue) return [document.createTextNode(value)];
  return [
    element(
      'details',
      { class: 'long' },
      element(
        'summary',
        {},
        `${value.slice(0, longValue).trimEnd()}… `,
        element('u', {}, texts.showAll),
      ),
      value,
    ),
  ];
}

function jsonFold(json: string, texts: Texts): HTMLElement {
  return element(
    'details',
    { class: 'fold' },
    element('summary', {}, texts.json, icon('down')),
    element('pre', { tabindex: '0' }, json),
  );
}

function detailsFold({ details, output }: CardView, texts: Texts): HTMLElement | undefined {
  if (details.rows.length === 0 && output === null) return undefined;
  const fold = element(
    'details',
    { class: 'fold' },
    element('summary', {}, texts.details, icon('down')),
  );
  if (details.rows.length > 0) fold.append(argumentList(details, texts));
  if (output !== null)
    fold.append(element('dl', {}, rowOf({ label: texts.output, value: output }, texts)));
  return fold;
}

function decisionButtons(
  { callId, title, canDecide, hasKeys }: ApprovalView & Pick<CardView, 'title'>,
  texts: Texts,
  decide: CardContext['decide'],
): HTMLElement {
  const button = (decision: Decision, label: string, key: string) => {
    const made = element(
      'button',
      {
        type: 'button',
        class: `decide ${decision}`,
        part: 'button',
        disabled: !canDecide,
      },
      label,
    );
    if (hasKeys) {
      made.append(element('kbd', { 'aria-hidden': 'true' }, key));
      made.setAttribute('aria-keyshortcuts', key);
    }
    made.append(element('span', { class: 'unseen' }, title));
    made.addEventListener('click', () => decide(callId, decision));
    return made;
  };
  return element(
    'div',
    { class: 'decisions' },
    button('rejected', texts.reject, 'R'),
    button('approved', texts.approve, 'A'),
  );
}
