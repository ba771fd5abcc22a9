import type { ParleyErrorCode } from '../errors.js';
import type { Situation, Trouble } from './situation.js';
import type { TextName, Texts } from './texts.js';

export type NoticeAction = 'retry' | 'reconnect' | 'restart' | 'dismiss';

/** One thing that the user should know now, and the action it offers. */
export type NoticeView = {
  readonly tone: 'quiet' | 'warn' | 'danger';
  readonly title: string;
  readonly text: string;
  readonly action: { readonly name: NoticeAction; readonly label: string } | null;
};

const labels = {
  retry: 'tryAgain',
  reconnect: 'reconnect',
  restart: 'startAgain',
  dismiss: 'dismiss',
} as const satisfies Record<NoticeAction, TextName>;

/** All notices. Their texts are named NAMETitle and NAMEText. */
const notices = {
  offline: { tone: 'warn', action: null },
  reconnecting: { tone: 'warn', action: null },
  problem: { tone: 'warn', action: 'dismiss' },
  ended: { tone: 'quiet', action: 'restart' },
  lost: { tone: 'warn', action: 'reconnect' },
  paused: { tone: 'quiet', action: 'reconnect', label: 'goOn' },
  busy: { tone: 'danger', action: 'retry' },
  startFailed: { tone: 'danger', action: 'retry' },
  unreachable: { tone: 'danger', action: 'retry' },
  unsupported: { tone: 'warn', action: 'dismiss' },
  denied: { tone: 'warn', action: 'dismiss' },
  missing: { tone: 'warn', action: 'dismiss' },
  refused: { tone: 'danger', action: 'retry' },
} as const satisfies Record<string, Notice>;

type Notice = {
  readonly tone: NoticeView['tone'];
  readonly action: NoticeAction | null;
  readonly label?: TextName;
};
type NoticeName = keyof typeof notices;
/** A notice, with an action that overrides its default. */
type Told = { readonly name: NoticeName; readonly action?: NoticeAction };

/** The notice for each error code; any other code is a mistake of the page. */
const failures: ReadonlyMap<ParleyErrorCode, NoticeName> = new Map<ParleyErrorCode, NoticeName>([
  ['microphone-denied', 'denied'],
  ['microphone-missing', 'missing'],
  ['audio-unsupported', 'unsupported'],
  ['worklet-failed', 'unsupported'],
  ['connect-failed', 'unreachable'],
  ['connect-timeout', 'unreachable'],
  ['refused', 'refused'],
]);

/**
 * The most important notice: a problem that blocks everything comes before one that only blocks
 * talking.
 */
export function noticeView(now: Situation, texts: Texts): NoticeView | null {
  const told = toldOf(now);
  if (told === null) return null;
  const { tone, label, ...own }: Notice = notices[told.name];
  const action = told.action ?? own.action;
  return {
    tone,
    title: texts[`${told.name}Title`],
    text: texts[`${told.name}Text`],
    action: action && { name: action, label: texts[label ?? labels[action]] },
  };
}

function toldOf(now: Situation): Told | null {
  if (!now.online) return { name: 'offline' };
  if (now.session === 'reconnecting') return { name: 'reconnecting' };
  if (now.session === 'closed') return endOf(now);
  if (now.trouble) return { name: troubleOf(now.trouble) };
  return now.audioTrouble && { name: failureOf(now.audioTrouble) };
}

/** Whether the conversation continues where it was. A session that ended normally starts over. */
export function canGoOn({ session, trouble }: Situation): boolean {
  if (session !== 'closed' || trouble?.kind !== 'failed') return false;
  return trouble.retry === true || trouble.reason === 'IdleTimeout';
}

function endOf(now: Situation): Told {
  const { trouble } = now;
  if (trouble?.kind !== 'failed' || trouble.reason === 'SessionRevoked') return { name: 'ended' };
  if (trouble.reason === 'IdleTimeout') return { name: 'paused' };
  return canGoOn(now) ? { name: 'lost' } : { name: troubleOf(trouble), action: 'restart' };
}

function troubleOf(trouble: Trouble): NoticeName {
  if (trouble.kind === 'problem') return 'problem';
  if (trouble.reason === 'QuotaReached') return 'busy';
  return failureOf(trouble.code);
}

function failureOf(code: ParleyErrorCode): NoticeName {
  return failures.get(code) ?? 'startFailed';
}
