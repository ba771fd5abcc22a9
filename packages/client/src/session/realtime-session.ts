import { fields } from '../core/read.js';
import {
  acknowledging,
  fresh,
  isAckDue,
  missing,
  received,
  restarted,
  sent,
  type Resume,
} from '../core/resume.js';
import { begin, type Core, type Effect, type Input } from '../core/state.js';
import { step } from '../core/step.js';
import { ParleyError } from '../errors.js';
import { fromBase64, toBase64 } from './base64.js';
import { sequelOf, type Close } from './closes.js';
import { connect, reconnect, type Connection } from './connection.js';
import { Listeners } from './listeners.js';
import { defaultMaxMessageBytes, fitting, mustFit } from './message-size.js';
import type { ProviderEventType, ServiceEvents } from './service-events.js';
import { declarationsOf, runTool } from './tools.js';
import { viewsOf, type Views } from './views.js';
import type { ConnectOptions, ToolDeclaration } from './connect-options.js';
import type { Activity, Approval, Message, ToolCall } from './conversation.js';
import type { AudioFormat, Player } from './player.js';
import type { RawEvent, SessionEvents, SessionState, StateChange } from './session-events.js';

const defaultReconnects = 5;
const firstPauseMs = 500;
const longestPauseMs = 10_000;
const longestResumePauseMs = 2000;

/** A conversation with an agent, which survives reconnects. */
export class RealtimeSession {
  readonly #options: ConnectOptions;
  readonly #declarations: readonly ToolDeclaration[];
  readonly #listeners = new Listeners();
  readonly #closing = new AbortController();
  #core: Core;
  readonly #inputs: Input[] = [];
  #isStepping = false;
  #state: SessionState = 'connecting';
  #connection: Connection | undefined;
  #conversationId: string | undefined;
  #service = '';
  /** Undefined if the session ends with its connection. */
  #resume: Resume | undefined;
  #player: Player | undefined;
  /** Aborted when the connection is lost on which the tools were called. */
  #calls = new AbortController();
  #views: Views | undefined;
  /** What happens on a connection once it is open. */
  readonly #later = {
    onMessage: (event: RawEvent | undefined) => this.#receive(event),
    isResumable: () => typeof this.#resume?.path === 'string',
    onDoubt: () => this.#acknowledge({ reply: true }),
    onLost: (close: Close) => this.#lost(close),
  };

  private constructor(options: ConnectOptions) {
    this.#options = options;
    if (options.observe) this.#listeners.add('observe', options.observe);
    this.#declarations = declarationsOf(options.tools ?? {});
    const seed = `c_${Math.random().toString(36).slice(2, 10)}`;
    this.#core = begin(seed, Object.keys(options.tools ?? {}));
  }

  /**
   * Requests a session with `create` and opens it. Rejects with a `ParleyError` that says why it
   * failed.
   */
  static async connect(options: ConnectOptions): Promise<RealtimeSession> {
    if (typeof (options as Partial<ConnectOptions> | undefined)?.create !== 'function')
      throw new ParleyError(
        'argument-invalid',
        'Pass `create`, a function that asks your backend for a session.',
      );
    const session = new RealtimeSession(options);
    try {
      await session.#open(false);
    } catch (error) {
      session.#become('closed');
      throw error;
    }
    return session;
  }

  /** Changes are also announced by the event `state`, with the reason. */
  get state(): SessionState {
    return this.#state;
  }

  /** Store it to continue the conversation later: `create` passes it to your backend. */
  get conversationId(): string | undefined {
    return this.#conversationId;
  }

  /** The transcript, in spoken order. A new array on every change. */
  get messages(): readonly Message[] {
    return this.#view().messages;
  }

  /** Tool calls of the client and of the service, in order. */
  get calls(): readonly ToolCall[] {
    return this.#view().calls;
  }

  /** Calls that wait for approval or were decided. */
  get approvals(): readonly Approval[] {
    return this.#view().approvals;
  }

  /** What is happening right now. */
  get activity(): Activity {
    return this.#core.turn.activity;
  }

  /** Format of the audio that `sendAudio` takes. */
  get inputFormat(): AudioFormat {
    return this.#core.formats.input;
  }

  /**
   * Listens to session events, to raw events by type, or to all raw events with `*`. Returns a
   * function that removes the listener.
   */
  on<Type extends keyof SessionEvents>(
    type: Type,
    listener: (detail: SessionEvents[Type]) => void,
  ): () => void;
  on<Type extends keyof ServiceEvents>(
    type: Type,
    listener: (event: { readonly type: Type; readonly data: ServiceEvents[Type] }) => void,
  ): () => void;
  on(
    type: ProviderEventType | '*' | (string & Record<never, never>),
    listener: (event: RawEvent) => void,
  ): () => void;
  on(type: string, listener: (detail: never) => void): () => void {
    return this.#listeners.add(type === 'error' ? 'problem' : type, listener);
  }

  /** Calls `listener` on any change of the properties above. */
  onChange(listener: () => void): () => void {
    return this.#listeners.add('change', listener);
  }

  /** Sends a raw event of the realtime protocol. */
  send(event: RawEvent): void {
    if (typeof (event as Partial<RawEvent> | undefined)?.type !== 'string')
      throw new ParleyError('argument-invalid', 'An event must be an object with a `type`.');
    mustFit(event, this.#maxMessageBytes);
    this.#say({ kind: 'send', event });
  }

  /**
   * Sends a complete turn as text, and the agent answers. If the agent is speaking, it is
   * interrupted.
   */
  sendText(text: string): void {
    if (typeof text !== 'string' || text.trim() === '')
      throw new ParleyError('argument-invalid', '`sendText` needs a non-empty string.');
    mustFit(text, this.#maxMessageBytes);
    this.#say({ kind: 'text', text, heard: this.#player?.heard() });
  }

  /** Sends a chunk of audio in `inputFormat`; an `Int16Array` is pcm16. */
  sendAudio(audio: Int16Array | Uint8Array): void {
    if (!ArrayBuffer.isView(audio))
      throw new ParleyError('argument-invalid', '`sendAudio` takes an Int16Array or a Uint8Array.');
    this.#mustBeOpen();
    const bytes = new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength);
    // As base64, it takes two thirds of a message.
    const size = Math.floor(this.#maxMessageBytes / 2);
    for (let at = 0; at < bytes.length; at += size) {
      const audio = toBase64(bytes.subarray(at, at + size));
      this.send({ type: 'input_audio_buffer.append', audio });
    }
  }

  /** Ends the user's turn when turn detection is off (push-to-talk), and the agent answers. */
  commit(): void {
    this.#say({ kind: 'commit' });
  }

  /** Stops the agent: playback ends, and the conversation keeps what was heard. */
  interrupt(): void {
    this.#say({ kind: 'interrupt', heard: this.#player?.heard() });
  }

  /**
   * Tells whether the user is talking, when turn detection is off (push-to-talk): meanwhile, the
   * agent does not begin to answer.
   */
  setTalking(talking: boolean): void {
    this.#say({ kind: 'talking', talking });
  }

  /**
   * Attaches a player for the agent's voice, which also reports what was heard. Returns a function
   * that detaches it.
   */
  attachPlayer(player: Player): () => void {
    this.#player?.stop();
    this.#player = player;
    return () => {
      if (this.#player !== player) return;
      player.stop();
      this.#player = undefined;
    };
  }

  /** Ends the session. */
  close(): void {
    if (this.#state === 'closed') return;
    this.#closing.abort();
    this.#connection?.close();
    this.#leave();
    this.#become('closed');
  }

  async #open(again: boolean): Promise<void> {
    const { signal } = this.#options;
    const until =
      signal && !again ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    const request = {
      ...(this.#conversationId !== undefined && { conversationId: this.#conversationId }),
      clientTools: this.#declarations,
      ...(this.#options.resume && { resumable: true as const }),
    };
    this.#resume = this.#options.resume ? fresh : undefined;
    this.#take({ kind: 'connected', again });
    await connect({ ...this.#options, signal: until }, request, {
      onReady: (connection) => {
        this.#connection = connection;
        this.#service = connection.service;
        this.#conversationId = connection.conversationId ?? this.#conversationId;
        this.#calls = new AbortController();
        this.#become('open');
      },
      ...this.#later,
    });
  }

  #receive(event: RawEvent | undefined): void {
    if (this.#resume) {
      this.#resume = received(this.#resume, event);
      if (this.#connection && isAckDue(this.#resume)) this.#acknowledge({});
    }
    if (event) this.#hear(event);
    if (event?.type === 'session.moving' && this.#connection) this.#move(this.#connection);
  }

  #acknowledge(options: { reply?: true }): void {
    if (!this.#resume) return;
    this.#resume = acknowledging(this.#resume);
    this.#put({ type: 'session.ack', received: this.#resume.received, ...options }, false);
  }

  /** The instance is shutting down; another one continues the session. */
  #move(connection: Connection): void {
    connection.leave();
    this.#connection = undefined;
    const error = new ParleyError('connect-failed', 'The service is restarting.', { retry: true });
    void this.#continue(error, this.#resume?.graceMs ?? 0);
  }

  #hear(event: RawEvent): void {
    this.#listeners.tell('observe', { sent: false, event });
    this.#take({ kind: 'event', event, now: Date.now(), heard: this.#player?.heard() });
    this.#listeners.tell(event.type, event);
    this.#listeners.tell('*', event);
  }

  #lost({ code, reason, message }: Close): void {
    this.#connection = undefined;
    const sequel = sequelOf(code);
    const words = message ?? `The connection was lost (${reason || code}).`;
    const error = new ParleyError('connect-failed', words, {
      reason,
      retry: sequel !== 'end',
    });
    if (sequel === 'resume' && this.#resume?.path) void this.#continue(error, this.#resume.graceMs);
    else this.#restart(error, code === 1000);
  }

  /** The session waits for its client: until the grace is over, nothing is lost. */
  async #continue(error: ParleyError, graceMs: number): Promise<void> {
    this.#become('reconnecting', { error });
    const { signal } = this.#closing;
    const giveUpAt = Date.now() + graceMs;
    for (let nth = 0; Date.now() < giveUpAt; nth += 1) {
      if (nth > 0) await pause(Math.min(longestResumePauseMs, pauseMs(nth - 1)), signal);
      if (signal.aborted) return;
      try {
        await this.#reopen();
        return;
      } catch (failure) {
        if (failure instanceof ParleyError && !failure.retry) break;
      }
    }
    if (!signal.aborted) this.#restart(error, false);
  }

  #reopen(): Promise<void> {
    const { path, received: count } = this.#resume ?? fresh;
    const options = { ...this.#options, baseUrl: this.#service, signal: this.#closing.signal };
    return reconnect(options, `${path ?? ''}&received=${count}`, {
      onReady: (connection, event) => this.#reopened(connection, event),
      ...this.#later,
    });
  }

  /** Sends what has not arrived, before anything else. */
  #reopened(connection: Connection, event: RawEvent): void {
    const { received: arrived, restored } = fields(event['data']);
    if (restored === 'history') {
      this.#startAgain(connection);
      return;
    }
    const messages = missing(this.#resume ?? fresh, Number(arrived));
    if (!messages) {
      connection.close();
      const words = 'The connection was lost for too long to continue the session.';
      this.#restart(new ParleyError('connect-failed', words, { retry: true }), false);
      return;
    }
    for (const message of messages) connection.send(message);
    this.#connection = connection;
    this.#become('open', { resumed: true });
  }

  /** Another instance continues from what was stored; what was in progress is lost. */
  #startAgain(connection: Connection): void {
    const resume = restarted(this.#resume ?? fresh);
    this.#leave();
    this.#resume = resume;
    this.#connection = connection;
    this.#calls = new AbortController();
    this.#take({ kind: 'connected', again: true });
    this.#become('open');
  }

  /** Continues the conversation in a new session, or ends. */
  #restart(error: ParleyError, isGoodbye: boolean): void {
    this.#leave();
    if (error.retry && (this.#options.reconnectAttempts ?? defaultReconnects) > 0)
      void this.#reconnect(error);
    else this.#become('closed', isGoodbye ? {} : { error });
  }

  async #reconnect(error: ParleyError): Promise<void> {
    this.#become('reconnecting', { error });
    const { reconnectAttempts = defaultReconnects } = this.#options;
    let last = error;
    for (let nth = 0; nth < reconnectAttempts; nth += 1) {
      await pause(pauseMs(nth), this.#closing.signal);
      if (this.#closing.signal.aborted) return;
      try {
        await this.#open(true);
        return;
      } catch (failure) {
        if (failure instanceof ParleyError) last = failure;
        // An earlier `create` worked: what it returns now is a passing failure of the backend.
        if (!last.retry && last.code !== 'create-failed') break;
      }
    }
    if (!this.#closing.signal.aborted) this.#become('closed', { error: last });
  }

  #leave(): void {
    this.#connection = undefined;
    this.#resume = undefined;
    this.#calls.abort();
    this.#take({ kind: 'lost' });
  }

  #become(state: SessionState, reason: Omit<StateChange, 'state'> = {}): void {
    if (this.#state === 'closed') return;
    this.#state = state;
    this.#listeners.tell('state', { state, ...reason });
    this.#listeners.tell('change', undefined);
  }

  get #maxMessageBytes(): number {
    return this.#options.maxMessageBytes ?? defaultMaxMessageBytes;
  }

  #mustBeOpen(): void {
    if (this.#state === 'open') return;
    const advice = this.#state === 'closed' ? 'connect a new one.' : 'wait for the state `open`.';
    throw new ParleyError('not-open', `The session is ${this.#state}: ${advice}`);
  }

  #say(input: Input): void {
    this.#mustBeOpen();
    this.#take(input);
  }

  /** What a listener says waits until everything before it is carried out. */
  #take(input: Input): void {
    this.#inputs.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) this.#step(next);
    } finally {
      this.#isStepping = false;
    }
  }

  #step(input: Input): void {
    const { core, effects } = step(this.#core, input);
    const isChanged = core !== this.#core;
    this.#core = core;
    if (isChanged) this.#views = undefined;
    for (const effect of effects) this.#carryOut(effect);
    if (isChanged) this.#listeners.tell('change', undefined);
  }

  #carryOut(effect: Effect): void {
    switch (effect.kind) {
      case 'send':
        this.#put(effect.event, true);
        break;
      case 'silence':
        this.#player?.stop();
        break;
      case 'play':
        this.#play(effect);
        break;
      case 'told':
        this.#tell(effect);
        break;
      case 'problem':
        this.#listeners.tell('problem', { code: effect.code, message: effect.message });
        break;
      case 'run':
        void this.#run(effect.call);
        break;
    }
  }

  /** Between two connections of a session, messages wait for the second. */
  #put(event: RawEvent, counts: boolean): void {
    if (!this.#connection && !this.#resume?.path) return;
    this.#listeners.tell('observe', { sent: true, event });
    const message = JSON.stringify(event);
    if (this.#resume && counts) this.#resume = sent(this.#resume, message);
    this.#connection?.send(message);
  }

  async #run(call: ToolCall): Promise<void> {
    const tool = new Map(Object.entries(this.#options.tools ?? {})).get(call.name);
    if (!tool) return;
    const answer = await runTool(tool, call, this.#calls.signal);
    const told = fitting(answer, this.#maxMessageBytes);
    this.#take({ kind: 'answered', callId: call.callId, ...told });
  }

  #play({ itemId, contentIndex, base64 }: Extract<Effect, { kind: 'play' }>): void {
    if (!this.#player && !this.#listeners.has('audio')) return;
    const format = this.#core.formats.output;
    const chunk = { itemId, contentIndex, audio: fromBase64(base64), format };
    this.#player?.play(chunk);
    this.#listeners.tell('audio', chunk);
  }

  #tell({ what, id }: Extract<Effect, { kind: 'told' }>): void {
    const view = this.#view();
    const found = {
      transcript: () => view.messages.find((message) => message.id === id),
      tool: () => view.calls.find(({ callId }) => callId === id),
      approval: () => view.approvals.find(({ callId }) => callId === id),
    }[what]();
    if (found) this.#listeners.tell(what, found);
  }

  #view(): Views {
    this.#views ??= viewsOf(this.#core, (callId, approve) => this.#decide(callId, approve));
    return this.#views;
  }

  #decide(callId: string, approve: boolean): void {
    const approval = this.#core.approvals.find((one) => one.callId === callId);
    if (approval?.state !== 'waiting')
      throw new ParleyError('approval-over', 'This call was already decided, or it expired.');
    if (!approval.decidable)
      throw new ParleyError('approval-over', 'This call is decided elsewhere, over the REST API.');
    this.#say({ kind: 'decide', callId, approve });
  }
}

/** Exponential backoff with jitter. */
function pauseMs(nth: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** nth) * (0.5 + Math.random() / 2);
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      until.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    until.addEventListener('abort', done);
  });
}
