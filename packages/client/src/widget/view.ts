import { noticeView, type NoticeView } from './notice-view.js';
import type { Situation } from './situation.js';
import { streamView, type EntryView } from './stream-view.js';
import { talkState, talkView, type TalkState, type TalkView } from './talk-view.js';
import { fill, type Texts } from './texts.js';

/** Everything the widget shows, as plain data. */
export type View = {
  readonly status: { readonly tone: 'quiet' | 'live' | 'warn'; readonly text: string };
  readonly entries: readonly EntryView[];
  readonly notice: NoticeView | null;
  readonly talk: TalkView | null;
  readonly canWrite: boolean;
  /** The conversation is over: only the notice and its action are shown. */
  readonly isOver: boolean;
  readonly greetingHint: string;
};

export function viewOf(now: Situation, texts: Texts): View {
  return {
    status: statusOf(now, texts),
    entries: streamView(now, texts),
    notice: noticeView(now, texts),
    talk: talkView(now, texts),
    canWrite:
      now.online &&
      now.outbox === null &&
      (now.session === 'none' || now.session === 'open' || now.session === 'connecting'),
    isOver: now.session === 'closed',
    greetingHint: now.mode === 'text' ? texts.greetingHintText : texts.greetingHint,
  };
}

function statusOf(now: Situation, texts: Texts): View['status'] {
  if (!now.online) return { tone: 'warn', text: texts.offline };
  switch (now.session) {
    case 'none':
      return { tone: 'quiet', text: texts.statusReady };
    case 'connecting':
      return { tone: 'quiet', text: texts.connecting };
    case 'reconnecting':
      return { tone: 'warn', text: texts.reconnecting };
    case 'closed':
      return { tone: 'quiet', text: texts.statusEnded };
    case 'open':
      return { tone: 'live', text: liveText(talkState(now), texts) };
  }
}

const liveTexts: ReadonlyMap<TalkState, keyof Texts> = new Map([
  ['listening', 'listening'],
  ['thinking', 'thinking'],
  ['speaking', 'speaking'],
  ['muted', 'muted'],
]);

function liveText(state: TalkState, texts: Texts): string {
  return texts[liveTexts.get(state) ?? 'statusWriting'];
}

/**
 * What a screen reader announces on a change of the view: complete answers and approval requests,
 * never partial text.
 */
export function announcements(before: View | undefined, view: View, texts: Texts): string[] {
  const known = new Map(before?.entries.map((entry) => [entry.key, entry]));
  return view.entries.flatMap((entry) => {
    const former = known.get(entry.key);
    if (entry.kind === 'message' && entry.role === 'assistant' && entry.isFinal)
      return former?.kind === 'message' && former.isFinal ? [] : [`${texts.agent}: ${entry.text}`];
    if (entry.kind === 'card') {
      if (former?.kind === 'card' && former.state === entry.state) return [];
      return entry.approval?.canDecide === true
        ? [fill(texts.askedAloud, { title: entry.title })]
        : [`${entry.title}: ${entry.state}`];
    }
    return [];
  });
}
