import { ParleyError, type ParleyErrorCode, type SessionState } from '@parley/client';
import { failureOf } from '../../api/failure.js';

/** What went wrong, or ended the session. */
export type Trouble =
  | { readonly kind: 'failed'; readonly error: Error }
  /** The provider or the service reported an error; the session continues. */
  | { readonly kind: 'problem'; readonly message: string };

export type NoticeAction = 'continue' | 'retry' | 'dismiss';

export type Notice = {
  readonly tone: 'neutral' | 'warn' | 'danger';
  readonly title: string;
  readonly text: string;
  readonly action: { readonly name: NoticeAction; readonly label: string } | undefined;
};

const actions: Readonly<Record<NoticeAction, string>> = {
  continue: 'Continue',
  retry: 'Try again',
  dismiss: 'Dismiss',
};

type Telling = {
  readonly tone: Notice['tone'];
  readonly title: string;
  readonly text: string;
  readonly action: NoticeAction;
};

const blocked = 'You can write instead.';

/** Failures of this browser or its network. */
const byCode: Partial<Record<ParleyErrorCode, Telling>> = {
  'microphone-denied': {
    tone: 'warn',
    title: 'The microphone is blocked',
    text: `Allow it for this page in your browser’s address bar, then press Talk again. ${blocked}`,
    action: 'dismiss',
  },
  'microphone-missing': {
    tone: 'warn',
    title: 'No microphone could be opened',
    text: `Connect one, or close the program that uses it, then press Talk again. ${blocked}`,
    action: 'dismiss',
  },
  'audio-unsupported': {
    tone: 'warn',
    title: 'This browser cannot record here',
    text: `Talking needs a current browser and a page served over HTTPS. ${blocked}`,
    action: 'dismiss',
  },
  'worklet-failed': {
    tone: 'warn',
    title: 'The sound could not be started',
    text: `The page could not load its audio worklet. Reload it, then try again. ${blocked}`,
    action: 'dismiss',
  },
  'connect-timeout': {
    tone: 'danger',
    title: 'The session did not open in time',
    text: 'The service or its provider did not respond. Try again in a moment.',
    action: 'retry',
  },
};

/** Why the service ended or refused a session, by its own name for the reason. */
const reasons = {
  IdleTimeout: {
    tone: 'neutral',
    title: 'The session is paused',
    text: 'Nobody said anything for a while. Continue where you left off.',
    action: 'continue',
  },
  MaxSessionDuration: {
    tone: 'neutral',
    title: 'The session reached its maximum duration',
    text: 'Continue the conversation in a new session.',
    action: 'continue',
  },
  SessionRevoked: {
    tone: 'neutral',
    title: 'Somebody ended this session',
    text: 'It was ended over the API or on the Live page. The conversation is kept.',
    action: 'continue',
  },
  QuotaReached: {
    tone: 'danger',
    title: 'Too many sessions are open',
    text: 'The organization’s limit is reached. End a session on the Live page, or try again later.',
    action: 'retry',
  },
  ProviderUnavailable: {
    tone: 'danger',
    title: 'The model’s provider cannot be reached',
    text: 'Check the agent’s connection: its address, key and model. Then try again.',
    action: 'retry',
  },
  ProviderConnectTimeout: {
    tone: 'danger',
    title: 'The model’s provider did not respond in time',
    text: 'Check the agent’s connection, or try again in a moment.',
    action: 'retry',
  },
} as const satisfies Record<string, Telling>;
const byReason = new Map<string, Telling>(Object.entries(reasons));

export type Standing = {
  readonly online: boolean;
  readonly session: SessionState | 'none';
  readonly trouble: Trouble | null;
  /** Whether there is a conversation to continue. */
  readonly hasConversation: boolean;
};

/**
 * The most important notice: a problem that blocks everything comes before one that only blocks
 * talking.
 */
export function noticeOf({
  online,
  session,
  trouble,
  hasConversation,
}: Standing): Notice | undefined {
  if (!online)
    return {
      tone: 'warn',
      title: 'You are offline',
      text: 'The conversation continues when your connection is back.',
      action: undefined,
    };
  if (session === 'reconnecting')
    return {
      tone: 'warn',
      title: 'The connection was lost',
      text: `${reasonOf(trouble)}Reconnecting to the same conversation.`,
      action: undefined,
    };
  if (trouble) return told(tellingOf(trouble));
  if (session !== 'closed') return undefined;
  return told({
    tone: 'neutral',
    title: 'The session has ended',
    text: 'The conversation is kept. Continue it, or start a new one.',
    action: hasConversation ? 'continue' : 'retry',
  });
}

function told({ action, ...rest }: Telling): Notice {
  return { ...rest, action: { name: action, label: actions[action] } };
}

function reasonOf(trouble: Trouble | null): string {
  return trouble?.kind === 'failed' ? `${trouble.error.message} ` : '';
}

function tellingOf(trouble: Trouble): Telling {
  if (trouble.kind === 'problem')
    return {
      tone: 'warn',
      title: 'The agent could not do that',
      text: trouble.message,
      action: 'dismiss',
    };
  const { error } = trouble;
  if (!(error instanceof ParleyError)) return refusal(error);
  const known = byReason.get(error.reason ?? '') ?? byCode[error.code];
  if (known) return known;
  if (error.code === 'create-failed') return refusal(error.cause ?? error);
  const action = error.retry ? 'continue' : 'retry';
  return { tone: 'danger', title: 'The session was lost', text: error.message, action };
}

/** The service did not create the session; its own message says why. */
function refusal(error: unknown): Telling {
  const { title, advice, requestId } = failureOf(error);
  const request = requestId === undefined ? '' : ` Request ${requestId}.`;
  return { tone: 'danger', title, text: `${advice}${request}`, action: 'retry' };
}
