import type { Situation, Trouble } from './situation.js';
import type { Texts } from './texts.js';

export type NoticeAction = 'retry' | 'reconnect' | 'restart' | 'dismiss';

/** One thing that the user should know now, and what can be done about it. */
export type NoticeView = {
  readonly tone: 'quiet' | 'warn' | 'danger';
  readonly title: string;
  readonly text: string;
  readonly action: { readonly name: NoticeAction; readonly label: string } | null;
};

/** The most important one: what stops everything comes before what stops talking alone. */
export function noticeView(now: Situation, texts: Texts): NoticeView | null {
  if (!now.online)
    return { tone: 'warn', title: texts.offlineTitle, text: texts.offlineText, action: null };
  if (now.session === 'reconnecting')
    return {
      tone: 'warn',
      title: texts.reconnectingTitle,
      text: texts.reconnectingText,
      action: null,
    };
  if (now.session === 'closed') return endNotice(now, texts);
  return now.trouble === null ? null : troubleNotice(now.trouble, texts);
}

/** A session that ended of itself is begun anew; one that was lost goes on where it was. */
export function isLost(now: Situation): boolean {
  const { session, trouble } = now;
  return (
    session === 'closed' &&
    trouble?.kind === 'failed' &&
    (trouble.code === 'connect-failed' || trouble.code === 'connect-timeout')
  );
}

function endNotice(now: Situation, texts: Texts): NoticeView {
  if (isLost(now))
    return {
      tone: 'warn',
      title: texts.lostTitle,
      text: texts.lostText,
      action: { name: 'reconnect', label: texts.reconnect },
    };
  const again = { name: 'restart', label: texts.startAgain } as const;
  if (now.trouble?.kind === 'failed' && now.trouble.code !== 'aborted')
    return { ...troubleNotice(now.trouble, texts), action: again };
  return { tone: 'quiet', title: texts.endedTitle, text: texts.endedText, action: again };
}

function troubleNotice(trouble: Trouble, texts: Texts): NoticeView {
  const dismiss = { name: 'dismiss', label: texts.dismiss } as const;
  switch (trouble.kind) {
    case 'problem':
      return { tone: 'warn', title: texts.problemTitle, text: texts.problemText, action: dismiss };
    case 'too-short':
      return { tone: 'quiet', title: texts.tooShortTitle, text: texts.tooShortText, action: dismiss };
    case 'failed':
      return failureNotice(trouble, texts);
  }
}

type Failure = Extract<Trouble, { kind: 'failed' }>;

function failureNotice({ code, reason }: Failure, texts: Texts): NoticeView {
  const dismiss = { name: 'dismiss', label: texts.dismiss } as const;
  const retry = { name: 'retry', label: texts.tryAgain } as const;
  const danger = (title: string, text: string): NoticeView => ({
    tone: 'danger',
    title,
    text,
    action: retry,
  });
  switch (code) {
    case 'microphone-denied':
      return { tone: 'warn', title: texts.deniedTitle, text: texts.deniedText, action: dismiss };
    case 'microphone-missing':
      return { tone: 'warn', title: texts.missingTitle, text: texts.missingText, action: dismiss };
    case 'audio-unsupported':
      return {
        tone: 'warn',
        title: texts.unsupportedTitle,
        text: texts.unsupportedText,
        action: dismiss,
      };
    case 'connect-failed':
    case 'connect-timeout':
      return danger(texts.unreachableTitle, texts.unreachableText);
    case 'refused':
      return reason === 'QuotaReached'
        ? danger(texts.busyTitle, texts.busyText)
        : danger(texts.refusedTitle, texts.refusedText);
    default:
      return danger(texts.startFailedTitle, texts.startFailedText);
  }
}
