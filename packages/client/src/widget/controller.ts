import { ParleyError } from '../errors.js';
import { RealtimeSession } from '../session/realtime-session.js';
import type { ClientTool, CreateSession } from '../session/connect-options.js';
import type { SessionProblem, SessionState } from '../session/session-events.js';
import { placeCalls } from '../session/timeline.js';
import { canGoOn, type NoticeAction } from './notice-view.js';
import { atRest, type Decision, type Mode, type Situation, type Talk } from './situation.js';
import { noWishes, sessionChange, wishesFor } from './session-wishes.js';
import { Voice } from './voice.js';

/** The page's settings, read when needed. */
export type Settings = {
  readonly create: CreateSession;
  readonly baseUrl: string;
  readonly tools: Readonly<Record<string, ClientTool>>;
  readonly mode: Mode;
  readonly talk: Talk;
};

export type Surroundings = {
  settings(): Settings;
  /** The view may have changed. */
  onChange(): void;
  onError(error: ParleyError | SessionProblem): void;
  /** The text could not be sent; put it back into the field. */
  onUnsent(text: string): void;
};

/**
 * Connects a session and its audio to the user's actions. There is at most one session at a time,
 * opened when the user first speaks or writes.
 */
export class Controller {
  readonly #around: Surroundings;
  /** Aborted when the element is removed, which cancels everything in progress. */
  readonly #life = new AbortController();
  #session: RealtimeSession | undefined;
  #connecting: Promise<RealtimeSession | undefined> | undefined;
  #voice: Voice | undefined;
  /**
   * State outside the session: the microphone, typed text, the last failures, and earlier messages.
   */
  #own: Situation = atRest;
  #conversationId: string | undefined;
  /** The settings last sent to the session. */
  #wishes = noWishes;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
    const { signal } = this.#life;
    addEventListener('online', () => this.#online(true), { signal });
    addEventListener('offline', () => this.#online(false), { signal });
    this.#own = { ...atRest, online: navigator.onLine };
  }

  get situation(): Situation {
    const { mode, talk } = this.#around.settings();
    const activity = this.#session?.activity ?? 'idle';
    return {
      ...this.#own,
      ...this.#said(),
      mode,
      talk,
      session: this.#state(),
      activity: this.isPlaying ? 'speaking' : activity,
      held: this.#voice?.isHeld === true,
    };
  }

  /** 0 to 1: loudness of the current speaker. */
  get level(): number {
    return this.#voice?.level ?? 0;
  }

  get isTalking(): boolean {
    return this.#own.microphone !== 'off';
  }

  get isPlaying(): boolean {
    return this.#voice?.isPlaying === true;
  }

  /** The user wants to talk. Only now is the microphone requested. */
  async talk(): Promise<void> {
    if (this.#own.microphone !== 'off' || this.#around.settings().mode === 'text') return;
    this.#set({ microphone: 'asking', audioTrouble: null });
    try {
      const voice = await Voice.open();
      if (this.#isAsking()) await this.#speak(voice);
      else voice.close();
    } catch (error) {
      this.#failToTalk(error);
      this.hush();
    }
  }

  /** Turns audio off; the session continues in text. */
  hush(): void {
    if (this.#own.microphone === 'off') return;
    this.#voice?.close();
    this.#voice = undefined;
    this.#set({ microphone: 'off' });
    this.#configure();
  }

  interrupt(): void {
    if (this.#session?.state === 'open') this.#session.interrupt();
  }

  hold(): void {
    this.#voice?.hold();
  }

  release(): void {
    this.#voice?.release();
  }

  toggleMute(): void {
    if (!this.#voice) return;
    const isMuted = this.#own.microphone === 'muted';
    this.#voice.setMuted(!isMuted);
    this.#set({ microphone: isMuted ? 'on' : 'muted' });
  }

  async write(text: string): Promise<void> {
    const isOpen = this.#session?.state === 'open';
    this.#set({ trouble: null, audioTrouble: null, outbox: isOpen ? null : text });
    const session = await this.#connected();
    this.#set({ outbox: null });
    if (session?.state === 'open') session.sendText(text);
    else this.#around.onUnsent(text);
  }

  decide(callId: string, decision: Decision): void {
    const approval = this.#session?.approvals.find((one) => one.callId === callId);
    if (approval?.state !== 'waiting' || this.#own.decisions.has(callId)) return;
    try {
      if (decision === 'approved') approval.approve();
      else approval.reject();
      this.#set({ decisions: new Map(this.#own.decisions).set(callId, decision) });
    } catch (error) {
      this.#tell(error);
    }
  }

  act(action: NoticeAction): void {
    if (this.#own.trouble) this.#set({ trouble: null });
    else this.#set({ audioTrouble: null });
    if (action === 'retry') void this.#connected();
    if (action === 'reconnect') this.#again();
    if (action === 'restart') {
      this.#session = undefined;
      this.#conversationId = undefined;
      this.#set({ ...atRest, online: navigator.onLine });
    }
  }

  /** Applies a changed talk mode of the page. */
  adjust(): void {
    const { mode, talk } = this.#around.settings();
    if (mode === 'text') this.hush();
    this.#voice?.setTalk(talk);
    this.#configure();
    this.#around.onChange();
  }

  dispose(): void {
    this.#life.abort();
    clearInterval(this.#clock);
    this.#voice?.close();
    this.#session?.close();
  }

  async #speak(voice: Voice): Promise<void> {
    this.#voice = voice;
    this.#set({ microphone: 'on' });
    const session = await this.#connected();
    if (this.#voice !== voice) return;
    if (session) await voice.attach(session, this.#around.settings().talk, () => this.#heed(voice));
    else this.hush();
    this.#configure();
    this.#around.onChange();
  }

  /**
   * The open session, opened first if necessary; undefined if that failed, which the view then
   * shows.
   */
  #connected(): Promise<RealtimeSession | undefined> {
    if (this.#session && this.#session.state !== 'closed') return Promise.resolve(this.#session);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
      this.#around.onChange();
    });
    this.#around.onChange();
    return this.#connecting;
  }

  async #connect(): Promise<RealtimeSession | undefined> {
    this.#set({ trouble: null });
    const { create, baseUrl, tools } = this.#around.settings();
    const conversationId = this.#conversationId;
    try {
      const session = await RealtimeSession.connect({
        create: (request, context) =>
          create({ ...(conversationId !== undefined && { conversationId }), ...request }, context),
        baseUrl,
        tools,
        signal: this.#life.signal,
      });
      // The element may have been removed in the meantime.
      if (this.#life.signal.aborted) session.close();
      this.#session = session;
      this.#listen(session);
      this.#wishes = noWishes;
      this.#configure();
      return session;
    } catch (error) {
      if (!this.#life.signal.aborted) this.#fail(error);
      return undefined;
    }
  }

  #listen(session: RealtimeSession): void {
    session.onChange(() => {
      this.#keepTime();
      this.#set({ places: placeCalls(this.#own.places, this.#said()) });
    });
    session.on('error', (problem) => this.#around.onError(problem));
    session.on('response.done', ({ response }) => {
      const { status } = (response ?? {}) as { status?: unknown };
      if (status === 'failed') this.#set({ trouble: { kind: 'problem' } });
      else if (this.#own.trouble?.kind === 'problem') this.#set({ trouble: null });
    });
    session.on('state', ({ state, error }) => {
      if (state === 'open') {
        this.#wishes = noWishes;
        this.#configure();
      }
      if (state !== 'closed') return;
      if (error) this.#fail(error);
      this.hush();
    });
  }

  #configure(): void {
    if (this.#session?.state !== 'open') return;
    const wishes = wishesFor(this.#own.microphone, this.#around.settings().talk);
    const session = sessionChange(this.#wishes, wishes);
    this.#wishes = wishes;
    if (session) this.#session.send({ type: 'session.update', session });
  }

  /** The microphone may stop by itself, and a closed session closes the audio. */
  #heed(voice: Voice): void {
    if (this.#voice !== voice) return;
    const { problem } = voice;
    if (problem) this.#failToTalk(problem);
    if (problem || voice.isClosed) this.hush();
    else this.#around.onChange();
  }

  /** Continues the conversation in a new session; earlier messages stay visible. */
  #again(): void {
    const { messages, calls, approvals } = this.situation;
    this.#conversationId = this.#session?.conversationId ?? this.#conversationId;
    this.#session = undefined;
    const over = approvals.map((one) =>
      one.state === 'waiting' ? { ...one, state: 'cancelled' as const } : one,
    );
    this.#set({ messages, calls, approvals: over, trouble: null });
    void this.#connected();
  }

  /** The messages of this session and of the ones that it continues. */
  #said(): Pick<Situation, 'messages' | 'calls' | 'approvals'> {
    const { messages: past, calls, approvals } = this.#own;
    const news = this.#session?.messages ?? [];
    const messages = past.length > 0 ? news.filter(({ replayed }) => !replayed) : news;
    return {
      messages: [...past, ...messages],
      calls: [...calls, ...(this.#session?.calls ?? [])],
      approvals: [...approvals, ...(this.#session?.approvals ?? [])],
    };
  }

  #state(): SessionState | 'none' {
    if (this.#connecting) return 'connecting';
    return this.#session?.state ?? 'none';
  }

  /** Checks again, because the user may have changed their mind or left. */
  #isAsking(): boolean {
    return this.#own.microphone === 'asking' && !this.#life.signal.aborted;
  }

  #online(online: boolean): void {
    this.#set({ online });
    if (online && canGoOn(this.situation)) this.#again();
  }

  /** Ticks while an approval is waiting. */
  #keepTime(): void {
    const waits = this.#session?.approvals.some(({ state }) => state === 'waiting') === true;
    if (waits) this.#clock ??= setInterval(() => this.#around.onChange(), 1000);
    else {
      clearInterval(this.#clock);
      this.#clock = undefined;
    }
  }

  #fail(error: unknown): void {
    const known = this.#tell(error);
    const { code, reason, retry } = known;
    this.#set({ trouble: { kind: 'failed', code, reason, retry } });
  }

  #failToTalk(error: unknown): void {
    this.#set({ audioTrouble: this.#tell(error).code });
  }

  #tell(error: unknown): ParleyError {
    const known =
      error instanceof ParleyError
        ? error
        : new ParleyError('create-failed', String(error), { cause: error });
    this.#around.onError(known);
    return known;
  }

  #set(change: Partial<Situation>): void {
    this.#own = { ...this.#own, ...change };
    this.#around.onChange();
  }
}
