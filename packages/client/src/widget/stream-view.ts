import type { Approval, Message, ToolCall } from '../session/conversation.js';
import { timelineOf } from '../session/timeline.js';
import { clockOf } from './countdown.js';
import { humanized, readableArguments, type Rows } from './readable-arguments.js';
import { safeLink } from './safe-link.js';
import type { Decision, Situation } from './situation.js';
import { fill, type Texts } from './texts.js';

export type MessageView = {
  readonly kind: 'message';
  readonly key: string;
  readonly role: 'user' | 'assistant';
  /** Empty until the text is known. */
  readonly text: string;
  /** The part that nobody heard, because it was interrupted. */
  readonly unheard: string;
  readonly note: string | null;
  readonly isFinal: boolean;
};

export type CardView = {
  readonly kind: 'card';
  readonly key: string;
  readonly title: string;
  readonly tone: 'wait' | 'busy' | 'ok' | 'danger' | 'quiet';
  /** A text, so that the state is not conveyed by colour alone. */
  readonly state: string;
  readonly details: Rows;
  readonly output: string | null;
  readonly link: { readonly label: string; readonly href: string } | null;
  readonly approval: ApprovalView | null;
};

/** An approval that waits for the user. */
export type ApprovalView = {
  readonly callId: string;
  readonly canDecide: boolean;
  /** Whether the keys A and R decide this one. */
  readonly hasKeys: boolean;
  readonly clock: string;
  readonly timeLeft: string;
  readonly isUrgent: boolean;
};

export type ThinkingView = { readonly kind: 'thinking'; readonly key: string };
export type EntryView = MessageView | CardView | ThinkingView;

export function streamView(now: Situation, texts: Texts): EntryView[] {
  const entries = timelineOf(now.places, now).flatMap((entry): EntryView[] => {
    if (entry.kind === 'call') return [cardView(entry.call, now, texts)];
    return messageView(entry.message, texts);
  });
  if (now.outbox !== null)
    entries.push({
      kind: 'message',
      key: 'outbox',
      role: 'user',
      text: now.outbox,
      unheard: '',
      note: texts.sending,
      isFinal: false,
    });
  if (now.activity === 'thinking' && now.session === 'open' && !showsWork(entries.at(-1)))
    entries.push({ kind: 'thinking', key: 'thinking' });
  return entries;
}

/** Whether the last entry already shows that the agent is working. */
function showsWork(last: EntryView | undefined): boolean {
  if (last?.kind === 'message') return last.role === 'assistant' && !last.isFinal;
  return last?.kind === 'card' && (last.tone === 'busy' || last.tone === 'wait');
}

/** A word that was not heard to its end counts as unheard. */
function wordStart(text: string, at: number): number {
  return at >= text.length ? text.length : text.lastIndexOf(' ', at) + 1;
}

function messageView(message: Message, texts: Texts): MessageView[] {
  const { id, role, final: isFinal, interrupted, heardLength } = message;
  const text = message.text.trim();
  if (text === '' && (isFinal || role === 'assistant')) return [];
  return [
    {
      kind: 'message',
      key: id,
      role,
      text,
      unheard: interrupted ? text.slice(wordStart(text, heardLength)).trim() : '',
      note: interrupted ? texts.interrupted : null,
      isFinal,
    },
  ];
}

/** The approval that the keys A and R decide: the one that has waited longest. */
export function nextApproval(now: Situation): Approval | undefined {
  return now.approvals.find((approval) => isDecidable(approval, now));
}

function isDecidable({ callId, state, decidable, secondsLeft }: Approval, now: Situation): boolean {
  const isLive = now.session === 'open' && now.online;
  return (
    isLive && state === 'waiting' && decidable && secondsLeft > 0 && !now.decisions.has(callId)
  );
}

function cardView(call: ToolCall, now: Situation, texts: Texts): CardView {
  const isOver = now.session === 'closed';
  const found = now.approvals.find(({ callId }) => callId === call.callId);
  const approval: Approval | undefined =
    isOver && found?.state === 'waiting' ? { ...found, state: 'cancelled' } : found;
  return {
    kind: 'card',
    key: `call ${call.callId}`,
    title: call.title ?? humanized(call.name),
    ...stateOf({ call, approval, decision: now.decisions.get(call.callId), isOver }, texts),
    details: readableArguments(call.arguments, texts),
    output: call.output === '' ? null : call.output,
    link: linkOf(call),
    approval: approval?.state === 'waiting' ? approvalView(approval, now, texts) : null,
  };
}

function linkOf({ link }: ToolCall): CardView['link'] {
  const href = link === null ? undefined : safeLink(link.url);
  return link === null || href === undefined ? null : { label: link.label || href, href };
}

function approvalView(approval: Approval, now: Situation, texts: Texts): ApprovalView {
  const clock = clockOf(approval.secondsLeft);
  return {
    callId: approval.callId,
    canDecide: isDecidable(approval, now),
    hasKeys: nextApproval(now)?.callId === approval.callId,
    clock,
    timeLeft: fill(texts.timeLeft, { time: clock }),
    isUrgent: approval.secondsLeft <= 10,
  };
}

type Case = {
  readonly call: ToolCall;
  readonly approval: Approval | undefined;
  readonly decision: Decision | undefined;
  readonly isOver: boolean;
};

function stateOf(
  { call, approval, decision, isOver }: Case,
  texts: Texts,
): { tone: CardView['tone']; state: string } {
  const verdict = verdictOf(approval, decision, texts);
  switch (approval?.state) {
    case 'waiting':
      if (decision !== undefined) return { tone: 'wait', state: texts.deciding };
      return {
        tone: 'wait',
        state: approval.decidable ? texts.waiting : texts.waitingElsewhere,
      };
    case 'rejected':
      return { tone: 'quiet', state: verdict };
    case 'expired':
      return { tone: 'quiet', state: texts.expired };
    case 'cancelled':
      return { tone: 'quiet', state: texts.cancelled };
    case 'approved':
    case undefined:
      break;
  }
  const after = (state: string) => (verdict === '' ? state : `${verdict} · ${state}`);
  if (call.state === 'done') return { tone: 'ok', state: after(texts.done) };
  if (call.state === 'failed') return { tone: 'danger', state: after(texts.failed) };
  if (isOver) return { tone: 'quiet', state: after(texts.statusEnded) };
  return { tone: 'busy', state: after(texts.running) };
}

/**
 * Who decided: if two people decide at once, the first decision counts, and the second person sees
 * that.
 */
function verdictOf(
  approval: Approval | undefined,
  decision: Decision | undefined,
  texts: Texts,
): string {
  if (approval?.state === 'approved')
    return decision === 'approved' ? texts.approvedHere : texts.approved;
  if (approval?.state === 'rejected')
    return decision === 'rejected' ? texts.rejectedHere : texts.rejected;
  return '';
}
