import {
  ParleyError,
  placeCalls,
  RealtimeSession,
  type Approval,
  type SessionRequest,
  type Traffic,
} from '@parley/client';
import type { RealtimeSessionResponse } from '@parley/client/server';
import type { CallSetup } from './call-setup.js';
import { atRest, type CallState } from './call-state.js';
import { joined, noHistory, type History } from './history.js';
import { connected } from './latency.js';
import { noRecords, recorded } from './records.js';
import { nothingSaid, shownEntries, type Said } from './stream.js';
import { Voice } from './voice.js';
import { modalitiesOf, sessionRequest } from './wishes.js';

/**
 * Connects a session and its audio to the user's actions. There is at most one session at a time,
 * opened when the user first speaks or writes.
 */
export class Call {
  #setup: CallSetup;
  #life = new AbortController();
  /** Aborted if the session that is being opened is no longer wanted. */
  #attempt = new AbortController();
  #session: RealtimeSession | undefined;
  #connecting: Promise<RealtimeSession | undefined> | undefined;
  #voice: Voice | undefined;
  #records = noRecords;
  #past: History = noHistory;
  #now: CallState = { ...atRest, online: navigator.onLine };
  readonly #listeners = new Set<() => void>();
  #due = false;

  constructor(setup: CallSetup) {
    this.#setup = setup;
  }

  prepare(setup: CallSetup): void {
    this.#setup = setup;
  }

  get now(): CallState {
    return this.#now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Called when the page is shown; returns the cleanup function. */
  readonly live = (): (() => void) => {
    this.#life = new AbortController();
    const { signal } = this.#life;
    addEventListener('online', () => this.#set({ online: true }), { signal });
    addEventListener('offline', () => this.#set({ online: false }), { signal });
    return () => {
      this.#life.abort();
      this.#giveUp();
      this.#voice?.close();
      this.#session?.close();
    };
  };

  /** The user wants to talk. Only now is the microphone requested. */
  async talk(deviceId?: string): Promise<void> {
    if (this.#now.microphone !== 'off') return;
    this.#set({ microphone: 'asking', trouble: null });
    const { wishes } = this.#setup;
    try {
      const voice = await Voice.open({ format: wishes.inputFormat, deviceId });
      if (this.#isAsking()) await this.#speak(voice);
      else voice.close();
    } catch (error) {
      this.#fail(error);
      this.hush();
    }
  }

  /** Turns audio off; the session continues in text. */
  hush(): void {
    if (this.#now.microphone === 'off') return;
    this.#voice?.close();
    this.#voice = undefined;
    this.#set({ microphone: 'off', muted: false });
    this.#configure();
  }

  async useDevice(deviceId: string): Promise<void> {
    try {
      await this.#voice?.use(deviceId);
      this.#touch();
    } catch (error) {
      if (!isAborted(error)) this.#fail(error);
    }
  }

  toggleMute(): void {
    const audio = this.#voice?.audio;
    if (audio?.muted === true) audio.unmute();
    else audio?.mute();
  }

  hold(): void {
    this.#voice?.audio?.hold();
  }

  release(): void {
    this.#voice?.audio?.release();
  }

  interrupt(): void {
    if (this.#session?.state === 'open') this.#session.interrupt();
    this.#touch();
  }

  async write(text: string): Promise<void> {
    this.#set({ trouble: null, outbox: this.#session?.state === 'open' ? null : text });
    const session = await this.#connected();
    if (this.#now.outbox === text) this.#set({ outbox: null });
    if (session?.state === 'open') session.sendText(text);
    else this.#setup.onUnsent(text);
  }

  decide(callId: string, approve: boolean): void {
    const approval = this.#now.said.approvals.find((one) => one.callId === callId);
    if (approval?.state !== 'waiting' || this.#now.deciding.has(callId)) return;
    this.#set({ deciding: new Set([...this.#now.deciding, callId]) });
    const own = { by: 'You', at: new Date().toISOString(), approved: approve };
    this.#sendDecision(approval, approve).then(
      () => this.#set({ verdicts: new Map(this.#now.verdicts).set(callId, own) }),
      (error: unknown) => {
        this.#set({ deciding: new Set([...this.#now.deciding].filter((id) => id !== callId)) });
        this.#setup.onFailure(error);
      },
    );
  }

  dismiss(): void {
    this.#set({ trouble: null });
  }

  end(): void {
    this.hush();
    this.#giveUp();
    this.#session?.close();
    this.#touch();
  }

  /**
   * Continues the conversation in a new session with the current settings; earlier messages stay
   * visible.
   */
  async again(): Promise<void> {
    const talked = this.#now.microphone !== 'off';
    const { said } = this.#now;
    const over = said.approvals.map((one): Approval =>
      one.state === 'waiting' ? { ...one, state: 'cancelled' } : one,
    );
    this.end();
    this.#past = { said: { ...said, approvals: over }, places: this.#past.places };
    this.#session = undefined;
    this.#set({ trouble: null });
    if (talked) await this.talk(this.#now.deviceId);
    else await this.#connected();
  }

  /** Switches to another conversation: a new one, or an existing one with its history. */
  begin(conversationId?: string, past: History = noHistory): void {
    this.end();
    this.#session = undefined;
    this.#past = past;
    this.#records = noRecords;
    this.#now = { ...atRest, online: navigator.onLine, conversationId };
    this.#touch();
  }

  /** The history was loaded. */
  recall(past: History): void {
    if (this.#session || this.#past !== noHistory) return;
    this.#past = past;
    this.#touch();
  }

  clearLog(): void {
    this.#records = { ...this.#records, log: noRecords.log };
    this.#touch();
  }

  /** Checks again, because the user may have changed their mind or left. */
  #isAsking(): boolean {
    return this.#now.microphone === 'asking' && !this.#life.signal.aborted;
  }

  async #speak(voice: Voice): Promise<void> {
    this.#voice = voice;
    this.#set({ microphone: 'on' });
    const session = await this.#connected();
    if (this.#voice !== voice) return;
    if (!session) {
      this.hush();
      return;
    }
    await voice.attach(session, this.#setup.pushToTalk, () => this.#heed(voice));
    this.#configure();
    this.#touch();
  }

  /**
   * The open session, opened first if necessary; undefined if that failed, which the page then
   * shows.
   */
  #connected(): Promise<RealtimeSession | undefined> {
    if (this.#session && this.#session.state !== 'closed') return Promise.resolve(this.#session);
    if (this.#session) this.#past = { ...this.#past, said: this.#now.said };
    this.#session = undefined;
    this.#connecting ??= this.#connect();
    this.#touch();
    return this.#connecting;
  }

  /** Whoever waits for the session that is being opened gets none. */
  #giveUp(): void {
    this.#attempt.abort();
    this.#connecting = undefined;
  }

  async #connect(): Promise<RealtimeSession | undefined> {
    this.#attempt = new AbortController();
    const { signal } = this.#attempt;
    const session = await this.#open(signal);
    if (signal.aborted) {
      session?.close();
      return undefined;
    }
    this.#connecting = undefined;
    this.#session = session;
    if (session) this.#listen(session);
    this.#touch();
    return session;
  }

  async #open(signal: AbortSignal): Promise<RealtimeSession | undefined> {
    try {
      return await RealtimeSession.connect({
        create: (request, { signal: until }) => this.#create(request, until),
        tools: this.#setup.tools,
        signal,
        observe: (traffic) => {
          if (!signal.aborted) this.#observe(traffic);
        },
      });
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
      return undefined;
    }
  }

  async #create(request: SessionRequest, signal: AbortSignal): Promise<RealtimeSessionResponse> {
    this.#clock('asked');
    const body = sessionRequest(this.#setup.wishes, {
      conversationId: request.conversationId ?? this.#now.conversationId,
      clientTools: request.clientTools,
      talking: this.#now.microphone !== 'off',
    });
    const created = await this.#setup.create(body, signal);
    signal.throwIfAborted();
    this.#clock('created');
    this.#set({ created, conversationId: created.conversationId });
    return created;
  }

  #listen(session: RealtimeSession): void {
    session.onChange(() => this.#touch());
    session.on('error', ({ message }) => this.#set({ trouble: { kind: 'problem', message } }));
    session.on('approval', (approval) => void this.#learnVerdict(approval));
    session.on('state', ({ state, error }) => {
      if (state === 'closed' || state === 'reconnecting') this.#clock('over');
      if (error) this.#fail(error);
      else if (state === 'open') this.#set({ trouble: null });
      if (state === 'closed') this.hush();
    });
  }

  #observe(traffic: Traffic): void {
    this.#records = recorded(this.#records, traffic, Date.now());
    this.#touch();
  }

  #clock(step: 'asked' | 'created' | 'over'): void {
    const latency = connected(this.#records.latency, step, Date.now());
    this.#records = { ...this.#records, latency };
    this.#touch();
  }

  async #sendDecision(approval: Approval, approve: boolean): Promise<void> {
    if (!approval.decidable) return this.#setup.decide(approval.callId, approve);
    if (approve) approval.approve();
    else approval.reject();
    return Promise.resolve();
  }

  async #learnVerdict({ callId, state }: Approval): Promise<void> {
    if (state !== 'approved' && state !== 'rejected') return;
    if (this.#now.verdicts.get(callId)?.approved === (state === 'approved')) return;
    const { conversationId = '' } = this.#now;
    const verdict = await this.#setup
      .whoDecided({ callId, conversationId, state })
      .catch(() => undefined);
    if (verdict) this.#set({ verdicts: new Map(this.#now.verdicts).set(callId, verdict) });
  }

  /** A text session answers by voice once the user talks, and the other way round. */
  #configure(): void {
    if (this.#session?.state !== 'open' || this.#setup.wishes.answers !== 'auto') return;
    const modalities = modalitiesOf(this.#setup.wishes, this.#now.microphone !== 'off');
    const session = { type: 'realtime', output_modalities: modalities ?? ['audio'] };
    this.#session.send({ type: 'session.update', session });
  }

  /** The microphone may stop by itself, and a closed session closes the audio. */
  #heed(voice: Voice): void {
    if (this.#voice !== voice) return;
    const { problem } = voice;
    if (problem) this.#fail(problem);
    if (problem || voice.closed) this.hush();
    else this.#touch();
  }

  #fail(error: unknown): void {
    const known = error instanceof Error ? error : new Error(String(error));
    this.#set({ trouble: { kind: 'failed', error: known } });
  }

  #set(change: Partial<CallState>): void {
    this.#now = { ...this.#now, ...change };
    this.#touch();
  }

  /** Changes are batched, at most 30 times a second. */
  #touch(): void {
    if (this.#due) return;
    this.#due = true;
    setTimeout(() => {
      this.#due = false;
      this.#now = this.#read();
      for (const tell of this.#listeners) tell();
      // There is no event for the end of playback.
      if (this.#voice?.playing === true) this.#touch();
    }, 33);
  }

  #read(): CallState {
    const session = this.#session;
    const said = joined(this.#past.said, session ? viewOf(session) : nothingSaid);
    const isSame = sameSaid(said, this.#now.said);
    const places = placeCalls(this.#past.places, said);
    this.#past = places === this.#past.places ? this.#past : { ...this.#past, places };
    const audio = this.#voice?.audio;
    return {
      ...this.#now,
      ...this.#records,
      session: this.#connecting ? 'connecting' : (session?.state ?? 'none'),
      activity: this.#voice?.playing === true ? 'speaking' : (session?.activity ?? 'idle'),
      audio: audio?.closed === false ? audio : undefined,
      muted: audio?.muted ?? false,
      held: audio?.talking ?? false,
      deviceId: this.#voice?.deviceId ?? this.#now.deviceId,
      said: isSame ? this.#now.said : said,
      entries: isSame ? this.#now.entries : shownEntries(places, said),
    };
  }
}

function viewOf({ messages, calls, approvals }: RealtimeSession): Said {
  return { messages, calls, approvals };
}

function isAborted(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'aborted';
}

/** Most changes only concern the audio. */
function sameSaid(a: Said, b: Said): boolean {
  const same = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length === other.length && one.every((each, at) => each === other[at]);
  return same(a.messages, b.messages) && same(a.calls, b.calls) && same(a.approvals, b.approvals);
}
