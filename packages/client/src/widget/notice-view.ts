import type { ParleyErrorCode } from '../errors.js';
import type { Situation, Trouble } from './situation.js';
import type { TextName, Texts } from './texts.js';

export type NoticeAction = 'retry' | 'reconnect' | 'restart' | 'dismiss';

/** One thing that the user should know now, and what can be done about it. */
export type NoticeView = {
  readonly tone: 'quiet' | 'warn' | 'danger';
  readonly title: string;
  readonly text: string;
  readonly action: { readonly name: NoticeAction; readonly label: string } | null;
};

type Wording = {
  readonly tone: NoticeView['tone'];
  readonly title: TextName;
  readonly text: TextName;
  readonly action: NoticeAction | null;
  readonly label?: TextName;
};

const labels = {
  retry: 'tryAgain',
  reconnect: 'reconnect',
  restart: 'startAgain',
  dismiss: 'dismiss',
} as const satisfies Record<NoticeAction, TextName>;

const offline: Wording = {
  tone: 'warn',
  title: 'offlineTitle',
  text: 'offlineText',
  action: null,
};
const reconnecting: Wording = {
  tone: 'warn',
  title: 'reconnectingTitle',
  text: 'reconnectingText',
  action: null,
};
const problem: Wording = {
  tone: 'warn',
  title: 'problemTitle',
  text: 'problemText',
  action: 'dismiss',
};
const ended: Wording = {
  tone: 'quiet',
  title: 'endedTitle',
  text: 'endedText',
  action: 'restart',
};
const lost: Wording = { tone: 'warn', title: 'lostTitle', text: 'lostText', action: 'reconnect' };
const paused: Wording = {
  tone: 'quiet',
  title: 'pausedTitle',
  text: 'pausedText',
  action: 'reconnect',
  label: 'goOn',
};
const busy: Wording = { tone: 'danger', title: 'busyTitle', text: 'busyText', action: 'retry' };
const startFailed: Wording = {
  tone: 'danger',
  title: 'startFailedTitle',
  text: 'startFailedText',
  action: 'retry',
};
const unreachable: Wording = {
  tone: 'danger',
  title: 'unreachableTitle',
  text: 'unreachableText',
  action: 'retry',
};
const unsupported: Wording = {
  tone: 'warn',
  title: 'unsupportedTitle',
  text: 'unsupportedText',
  action: 'dismiss',
};

/** What a failure means to the user, by its code; any other is one of the page's. */
const failures: ReadonlyMap<ParleyErrorCode, Wording> = new Map<ParleyErrorCode, Wording>([
  [
    'microphone-denied',
    { tone: 'warn', title: 'deniedTitle', text: 'deniedText', action: 'dismiss' },
  ],
  [
    'microphone-missing',
    { tone: 'warn', title: 'missingTitle', text: 'missingText', action: 'dismiss' },
  ],
  ['audio-unsupported', unsupported],
  ['worklet-failed', unsupported],
  ['connect-failed', unreachable],
  ['connect-timeout', unreachable],
  ['refused', { tone: 'danger', title: 'refusedTitle', text: 'refusedText', action: 'retry' }],
]);

/** The most important one: what stops everything comes before what stops talking alone. */
export function noticeView(now: Situation, texts: Texts): NoticeView | null {
  const wording = wordingOf(now);
  if (wording === null) return null;
  const { tone, title, text, action, label } = wording;
  return {
    tone,
    title: texts[title],
    text: texts[text],
    action: action && { name: action, label: texts[label ?? labels[action]] },
  };
}

function wordingOf(now: Situation): Wording | null {
  if (!now.online) return offline;
  if (now.session === 'reconnecting') return reconnecting;
  if (now.session === 'closed') return endOf(now);
  return now.trouble && troubleOf(now.trouble);
}

/** Whether a session that is over goes on where it was. One that ended as it should is begun anew. */
export function canGoOn({ session, trouble }: Situation): boolean {
  if (session !== 'closed' || trouble?.kind !== 'failed') return false;
  return trouble.retry === true || trouble.reason === 'IdleTimeout';
}

function endOf(now: Situation): Wording {
  const { trouble } = now;
  if (trouble?.kind !== 'failed' || trouble.reason === 'SessionRevoked') return ended;
  if (trouble.reason === 'IdleTimeout') return paused;
  return canGoOn(now) ? lost : { ...troubleOf(trouble), action: 'restart' };
}

function troubleOf(trouble: Trouble): Wording {
  if (trouble.kind === 'problem') return problem;
  if (trouble.reason === 'QuotaReached') return busy;
  return failures.get(trouble.code) ?? startFailed;
}
