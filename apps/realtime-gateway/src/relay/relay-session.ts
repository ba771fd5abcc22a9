import type { Duplex } from 'node:stream';
import { WebSocket, type RawData } from 'ws';
import type { Outcome } from '@parley/database';
import {
  closeCodes,
  handedOverEnd,
  type CloseName,
  type RenewalReason,
  type UnresumableReason,
} from '@parley/protocol';
import { guardedBy, type ErrorOwner } from '@parley/service-kit';
import { clientRoute } from '../core/client-routes.js';
import type { Objection, Return } from '../core/continuity.js';
import { providerRoute } from '../core/provider-routes.js';
import { isUnderWay, step } from '../core/step.js';
import {
  openSession,
  type Effect,
  type Input,
  type SessionSettings,
  type SessionState,
  type TimerName,
} from '../core/session.js';
import type { EndName, GatewayMetrics } from '../metrics.js';
import type { SessionCalls, SessionRecorder, SessionTools } from '../ports.js';
import type { ResumeMetrics } from '../resumption/resume-metrics.js';
import { ClientSide, type Resumption } from './client-side.js';
import type { ClientSocket } from './client-socket.js';
import { Heartbeat } from './heartbeat.js';
import { Outbox } from './outbox.js';
import { Passages } from './passages.js';
import { recordSaid, rewriteSaid } from './record-said.js';
import type { RelayLimits } from './relay-limits.js';
import { SessionTimers } from './session-timers.js';
import { errorText, noticeText } from './told-client.js';

export type RelaySessionOptions = {
  readonly client: ClientSocket;
  /** The socket under the client's. */
  readonly socket: Duplex;
  /**
   * Opens the provider's socket on one of the session's connections; the callback gets the reason
   * if that fails.
   */
  readonly dial: (via: number, onRefused: (reason: string) => void) => WebSocket;
  readonly maxMessageBytes: number;
  /** Undefined if the session ends with the client's connection. */
  readonly resumption?: Resumption | undefined;
  readonly limits: RelayLimits;
  readonly metrics: GatewayMetrics;
  readonly resumeMetrics: ResumeMetrics;
  readonly recorder: SessionRecorder;
  readonly tools: Pick<SessionTools, 'listed' | 'calls'>;
  /** Removes what a client must not see from the provider's reason for an end. */
  readonly presentable: (message: string) => string;
  readonly report: (event: SessionEvent, details: object) => void;
  readonly onEnd: (name: EndName) => void;
  /** The end is in the record, or, if that failed, never will be. */
  readonly onRecorded: (outcome: Outcome) => Promise<void>;
};

/** The events that a session logs. */
export type SessionEvent =
  | 'provider ready'
  | 'provider renewed'
  | 'provider not renewed'
  | 'injected event rejected by provider'
  | 'client detached'
  | 'client resumed'
  | 'session no longer resumable'
  | 'session failed';

const abnormal = 1006;

const handedOver = {
  reason: handedOverEnd,
  closeCode: closeCodes[handedOverEnd].code,
} as const;

/**
 * Executes what the core decides: owns both sockets and the timers, and turns their events into
 * inputs, and effects into calls. Effects run in order, and an input that arrives meanwhile waits
 * for its turn.
 */
export class RelaySession {
  readonly #options: RelaySessionOptions;
  readonly #client: ClientSide;
  readonly #calls: SessionCalls;
  #toProvider: Outbox | undefined;
  #provider: WebSocket | undefined;
  #state: SessionState;
  readonly #inputs: Input[] = [];
  #stepping = false;
  readonly #timers: SessionTimers;
  #providerPulse: Heartbeat | undefined;
  #dialledAt = 0;
  #connected = false;
  #endedAs: EndName | undefined;
  #over = false;
  /**
   * What a session that another pod continues waits for: its record, or the client, which was told
   * to move. An overdue client has to go as soon as everything is recorded.
   */
  #handedOver: 'recording' | 'moving' | 'overdue' | undefined;
  #isRecorded = false;
  /** Once its end is recorded: nobody is led to this pod any more. */
  #removal: Promise<void> | undefined;
  readonly #passages: Passages;

  /** Only the state keeps the settings: it replaces them once the agent's tools are listed. */
  constructor(settings: SessionSettings, options: RelaySessionOptions) {
    this.#options = options;
    const { client, limits, resumption } = options;
    this.#calls = options.tools.calls((input) => this.#take(input));
    const { state, effects } = openSession(settings);
    this.#state = state;
    // Nothing is read before the provider is ready: the network holds what an early client sends.
    client.pause();
    this.#passages = new Passages({
      client,
      socket: options.socket,
      maxMessageBytes: options.maxMessageBytes,
      isKept: resumption !== undefined,
      maxWaiting: limits.drainedBytes,
      metrics: options.metrics,
      state: () => (this.#stepping ? undefined : this.#state),
      takeError: this.takeError,
    });
    const onFired = (timer: TimerName) => this.#take({ kind: 'timer.fired', timer });
    this.#timers = new SessionTimers(onFired, this.#passages.usedAt);
    this.#client = this.#listenToClient(client);
    try {
      for (const effect of effects) this.#apply(effect);
    } catch (err) {
      this.#fail(err);
    }
    options.tools.listed.then(
      (tools) => this.#take({ kind: 'tools.listed', tools }),
      this.takeError,
    );
  }

  /** A bug ends only the session that hit it, not the process with all sessions. */
  readonly takeError: ErrorOwner = (err) => {
    if (this.#over) return false;
    this.#fail(err);
    return true;
  };

  /** Called again for a session that was handed over, and whose client is still here. */
  drain(): void {
    if (!this.#handedOver) this.#take({ kind: 'drain.requested' });
    else if (this.#handedOver === 'moving') this.#client.close('ServiceRestart');
    else this.#handedOver = 'overdue';
  }

  revoke(): void {
    this.#take({ kind: 'revoke.requested' });
  }

  tokensUsedUp(): void {
    const { quotaNoticeSeconds: secondsLeft } = this.#options.limits;
    this.#take({ kind: 'quota.reached', secondsLeft });
  }

  /** Why a client cannot come back like this; undefined if it can. */
  objectionTo(client: Return): Objection | undefined {
    if (this.#state.phase === 'closed') return 'unknown';
    return isUnderWay(this.#state) ? this.#client.objectionTo(client) : 'opening';
  }

  /** The client is back on another connection. */
  resume(socket: ClientSocket, client: Return): void {
    this.#options.report('client resumed', { received: client.received });
    this.#options.resumeMetrics.resumed();
    this.#client.attach(socket, client);
    this.#toProvider?.holdWhileFull(socket);
    this.#take({ kind: 'client.resumed' });
  }

  get isDetached(): boolean {
    return this.#client.socket === undefined;
  }

  giveUp(reason: UnresumableReason): void {
    this.#client.giveUp(reason);
  }

  #listenToClient(client: ClientSocket): ClientSide {
    const { limits, resumption } = this.#options;
    return new ClientSide(client, {
      limits,
      resumption,
      takeError: this.takeError,
      source: () => this.#provider,
      heardAt: this.#passages.clientHeardAt,
      onMessage: (data, binary, leg) => {
        const route = clientRoute(data, binary);
        if (!this.#client.hears(leg, route !== 'ack')) return;
        const frame = { data, binary };
        if (this.#passages.clientFrame(route, data.length)) this.#toProvider?.send(frame);
        else this.#take({ kind: 'client.frame', route, frame, now: Date.now() });
      },
      onViolation: (code) => {
        if (code === closeCodes.MessageTooBig.code) this.#take({ kind: 'client.oversized' });
        else this.#endedAs ??= resumption ? undefined : 'ProtocolError';
      },
      onStalled: () => this.#take({ kind: 'client.stalled' }),
      onClose: (code, leg) => this.#clientClosed(code, leg),
      // A session without a connection ends.
      onUnresumable: (reason) => {
        this.#options.report('session no longer resumable', { reason });
        this.#options.resumeMetrics.unresumable(reason);
        this.#take({ kind: 'client.unresumable' });
        if (!this.#client.socket) this.#take({ kind: 'client.closed' });
      },
    });
  }

  /** A client that says goodbye ends the session; one that vanishes may come back. */
  #clientClosed(code: number, leg: number): void {
    const isGoodbye = code === closeCodes.Normal.code || this.#state.phase === 'closed';
    if (!isGoodbye && this.#client.detach(leg)) {
      this.#options.report('client detached', { code });
      this.#take({ kind: 'client.lost' });
      return;
    }
    this.#take({ kind: 'client.closed' });
    this.#end(this.#endedAs ?? (code === abnormal ? 'ClientGone' : 'Normal'), code);
  }

  #dial(): void {
    this.#dialledAt = performance.now();
    const { leg, via } = this.#state.side;
    const { limits } = this.#options;
    const provider = this.#options.dial(via, (reason) =>
      this.#take({ kind: 'provider.refused', leg, reason }),
    );
    this.#provider = provider;
    this.#toProvider = new Outbox({
      target: provider,
      source: () => this.#client.socket,
      limits: { ...limits, stallMs: limits.providerStallMs },
      onStalled: () => this.#take({ kind: 'provider.stalled', leg }),
    });
    const onMessage = guardedBy(this.takeError, (message: RawData, binary: boolean) => {
      if (provider !== this.#provider) return;
      const data = message as Buffer;
      const route = providerRoute(data, binary);
      const frame = { data, binary };
      if (this.#passages.providerFrame(route, data.length)) this.#client.send(frame);
      else this.#take({ kind: 'provider.frame', leg, route, frame, now: Date.now() });
    });
    provider.on('message', onMessage);
    this.#passages.dialled(provider);
    provider.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
        this.#take({ kind: 'provider.oversized', leg });
    });
    provider.once('close', (code, reason) => {
      this.#take({ kind: 'provider.closed', leg, code, reason: reason.toString() });
    });
  }

  /** What was sent and not read is lost with the provider: the record has it. */
  #leaveProvider(): void {
    const provider = this.#provider;
    this.#provider = undefined;
    this.#providerPulse?.stop();
    this.#toProvider?.stop();
    this.#toProvider = undefined;
    this.#passages.left();
    hangUpOn(provider);
  }

  #readRecord(): void {
    const { leg } = this.#state.side;
    this.#options.recorder.past().then(
      (past) => this.#take({ kind: 'record.read', leg, past }),
      (err: unknown) => {
        this.#options.report('provider not renewed', { err });
        this.#take({ kind: 'record.unread', leg });
      },
    );
  }

  #take(input: Input): void {
    this.#passages.reconsider();
    this.#inputs.push(input);
    if (this.#stepping) return;
    this.#stepping = true;
    try {
      for (let next = this.#inputs.shift(); next; next = this.#inputs.shift()) {
        const { state, effects } = step(this.#state, next);
        this.#state = state;
        for (const effect of effects) this.#apply(effect);
      }
    } catch (err) {
      this.#fail(err);
    }
    this.#stepping = false;
    this.#endIfAlone();
  }

  /** Without a client's connection, there is none whose close would end the session. */
  #endIfAlone(): void {
    if (this.#state.phase !== 'closed' || this.#client.socket) return;
    const end = this.#endedAs ?? 'ClientGone';
    if (!this.#over) this.#options.resumeMetrics.missed(end);
    this.#end(end, abnormal);
  }

  #handOver(): void {
    this.#handedOver = 'recording';
    this.#endedAs = handedOverEnd;
    this.#client.handOver();
    void this.#finishHandOver(this.#calls.handOver());
    this.#stopAllButClient();
    hangUpOn(this.#provider);
  }

  /** Everything is recorded before the client moves: another pod continues from the record. */
  async #finishHandOver(callsLeft: Promise<void>): Promise<void> {
    const { recorder } = this.#options;
    await callsLeft;
    this.#recordEnd(handedOver.reason, handedOver.closeCode);
    try {
      await recorder.past();
      await this.#removal;
      this.#client.tellMoving();
      if (this.#handedOver === 'recording') this.#handedOver = 'moving';
    } catch {
      this.#handedOver = 'overdue';
    }
    if (this.#handedOver === 'overdue') this.#client.close('ServiceRestart');
  }

  #fail(err: unknown): void {
    this.#options.report('session failed', { err });
    this.#passages.reconsider();
    this.#state = { ...this.#state, phase: 'closed' };
    this.#stopAll();
    this.#endedAs = 'InternalError';
    const message = 'The service failed unexpectedly.';
    this.#client.send({ data: errorText({ code: 'InternalError', message }), binary: false });
    this.#client.close('InternalError');
    this.#provider?.terminate();
    this.#endIfAlone();
  }

  #apply(effect: Effect): void {
    switch (effect.kind) {
      case 'send_provider':
        this.#toProvider?.send(effect.frame);
        break;
      case 'send_client':
        this.#client.send(effect.frame);
        break;
      case 'refuse':
      case 'tell_error':
        this.#client.reply(errorText(effect));
        break;
      case 'notice':
        this.#client.reply(noticeText(effect));
        break;
      case 'offer_resume':
        this.#client.offer(effect);
        break;
      case 'acknowledge':
        this.#client.acknowledge(effect);
        break;
      case 'record':
        recordSaid(this.#options.recorder, effect, (input) => this.#take(input));
        break;
      case 'rewrite':
        rewriteSaid(this.#options.recorder, effect, (input) => this.#take(input));
        break;
      case 'amend':
        this.#options.recorder.amend(effect.parts, effect.change);
        break;
      case 'note_usage':
        this.#options.recorder.usage(effect.usage);
        break;
      case 'report':
        this.#options.report('injected event rejected by provider', { code: effect.code });
        break;
      case 'arm_timer':
        this.#timers.arm(effect.timer, effect.milliseconds);
        break;
      case 'disarm_timer':
        this.#timers.disarm(effect.timer);
        break;
      case 'start_call':
        this.#calls.start(effect.call);
        break;
      case 'adopt_call':
        this.#calls.adopt(effect.call);
        break;
      case 'cancel_calls':
        this.#calls.cancel(effect.callIds);
        break;
      case 'decide_call':
        this.#calls.decide(effect);
        break;
      case 'dial':
        this.#dial();
        break;
      case 'resume_client':
        this.#resumeClient();
        break;
      case 'pause_client':
        this.#client.pause();
        break;
      case 'leave_provider':
        this.#leaveProvider();
        break;
      case 'read_record':
        this.#readRecord();
        break;
      case 'renewed':
        this.#renewed(effect.reason);
        break;
      case 'not_connected':
        this.#options.metrics.notConnected();
        break;
      case 'not_renewed':
        this.#options.metrics.notRenewed(effect.failure);
        break;
      case 'hand_over':
        this.#handOver();
        break;
      case 'close':
        this.#close(effect.name, effect.message);
        break;
      case 'hang_up':
        this.#hangUp();
        break;
    }
  }

  #end(reason: EndName, code: number): void {
    if (this.#over) return;
    const closeCode = isCloseName(reason) && reason !== 'Normal' ? closeCodes[reason].code : code;
    if (!this.#connected && reason.startsWith('Provider')) this.#options.metrics.notConnected();
    this.#recordEnd(reason, closeCode);
    this.#options.onEnd(reason);
    this.#over = true;
  }

  #recordEnd(reason: EndName, closeCode: number): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const { recorder, onRecorded } = this.#options;
    const end = this.#isLeftToOthers ? handedOver : { reason, closeCode };
    recorder.end({ ...end, ...this.#passages.bytes }, (outcome) => {
      this.#removal = onRecorded(outcome);
    });
  }

  /**
   * A session that was restored, and whose provider does not open: until the grace is over, the
   * client may try again, here or elsewhere.
   */
  get #isLeftToOthers(): boolean {
    const { isRestored } = this.#state.settings;
    return isRestored && !this.#connected && this.#endedAs?.startsWith('Provider') === true;
  }

  #resumeClient(): void {
    this.#connected = true;
    this.#options.report('provider ready', this.#providerReady());
    this.#client.start();
  }

  #renewed(reason: RenewalReason): void {
    const { metrics, report } = this.#options;
    const { leg, via } = this.#state.side;
    metrics.renewed(reason);
    report('provider renewed', { reason, leg, via, ...this.#providerReady() });
    this.#client.resume();
  }

  #providerReady(): { seconds: number } {
    const { limits, metrics } = this.#options;
    const seconds = (performance.now() - this.#dialledAt) / 1000;
    metrics.connected(seconds);
    const provider = this.#provider;
    const { leg } = this.#state.side;
    if (provider)
      this.#providerPulse = new Heartbeat(
        { peer: provider, heardAt: this.#passages.providerHeardAt },
        { pingMs: limits.pingMs, silenceMs: limits.providerSilenceMs },
        () => this.#take({ kind: 'provider.silent', leg }),
      );
    return { seconds };
  }

  #close(name: CloseName, message: string): void {
    this.#endedAs = name;
    const data = errorText({ code: name, message: this.#options.presentable(message) });
    this.#client.send({ data, binary: false });
    this.#hangUp();
    this.#client.close(name);
  }

  #hangUp(): void {
    this.#stopAll();
    hangUpOn(this.#provider);
  }

  #stopAll(): void {
    this.#stopAllButClient();
    if (this.#isLeftToOthers) this.#client.handOver();
    else this.#client.stop();
  }

  #stopAllButClient(): void {
    this.#calls.end();
    this.#timers.stop();
    this.#providerPulse?.stop();
    this.#toProvider?.stop();
  }
}

/** A paused provider would have to deliver everything before its half of the closing handshake. */
function hangUpOn(provider: WebSocket | undefined): void {
  if (provider?.readyState === WebSocket.OPEN && !provider.isPaused)
    provider.close(closeCodes.Normal.code);
  else provider?.terminate();
}

function isCloseName(name: EndName): name is CloseName {
  return Object.hasOwn(closeCodes, name);
}
