import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Registry } from 'prom-client';
import {
  closeCodes,
  errorEvent,
  RealtimeError,
  wholeAnswer,
  wholeOpenAiAnswer,
  type WholeAnswer,
} from '@parley/protocol';
import { hideSecret } from '@parley/providers';
import {
  attributeTo,
  noTracing,
  writeAnswer,
  type Logger,
  type Tracing,
} from '@parley/service-kit';
import type { LiveSessions, PodHint, ResumableId, ResumePaths } from '@parley/session-store';
import { Admission, type AdmissionOptions } from './admission/admission.js';
import type { Opening, Target } from './admission/choose-provider.js';
import type { Handshake } from './admission/handshake.js';
import { refuseRequest, type Refusal } from './admission/refusal.js';
import {
  isDoorPath,
  isSessionPath,
  noWebSocket,
  upgradeRequired,
  wantsErrorsOnSocket,
  type ResumeRequest,
} from './admission/upgrade-request.js';
import { drainSessions } from './drain.js';
import { Owner } from './owner.js';
import { gatewayMetrics, type GatewayMetrics } from './metrics.js';
import type { SessionRecords, Tools } from './ports.js';
import type { Presence } from './presence/presence.js';
import { TokenWatch } from './presence/token-watch.js';
import { createSocketServer, type ClientSocket, type SocketServer } from './relay/client-socket.js';
import { relayLimits, type RelayLimits } from './relay/relay-limits.js';
import { RelaySession, type SessionEvent } from './relay/relay-session.js';
import { WarmProviders } from './relay/warm-providers.js';
import { createPeerProof, type PeerProof } from './resumption/peer-proof.js';
import { ResumableSessions } from './resumption/resumable-sessions.js';
import type { Resuming } from './resumption/find-resumable.js';
import type { Moved } from './resumption/restore-session.js';
import { resumeMetrics, type ResumeMetrics } from './resumption/resume-metrics.js';
import { ResumeUpgrades, type ResumeUpgrade } from './resumption/resume-upgrades.js';
import { sessionSettings, type GatewaySettings } from './session-settings.js';
import { traceSession } from './trace-session.js';

export type GatewayOptions = AdmissionOptions & {
  readonly settings: GatewaySettings;
  readonly registry: Registry;
  readonly records: SessionRecords;
  readonly tools: Tools;
  readonly live: Pick<LiveSessions, 'find'>;
  /** Close it after the record: the ends of the last sessions are written then. */
  readonly presence: Presence;
  readonly paths: ResumePaths;
  /** How long sessions may continue when the process stops. */
  readonly drainMs: number;
  readonly limits?: RelayLimits | undefined;
  readonly tracing?: Tracing;
};

export type Gateway = {
  /** For a server's 'upgrade' event. Answers every upgrade; those for other paths get a 404. */
  readonly handleUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** The same for the internal port: clients that another gateway passes on. */
  readonly handlePeerUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** For requests that are not upgrades. */
  readonly handleRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** Stops admitting clients, and resolves when every session has ended, within the time limit. */
  readonly drain: () => Promise<void>;
  readonly activeSessions: number;
  readonly pod: string;
  /** Checks a session or an approval that may have changed. */
  readonly look: (hint: PodHint) => void;
  /** Checks all of them: any may have changed. */
  readonly reread: () => void;
};

const maxMessageLength = 1000;

export function createGateway(options: GatewayOptions): Gateway {
  return new RealtimeGateway(options);
}

class RealtimeGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #metrics: GatewayMetrics;
  readonly #admission: Admission;
  readonly #sockets: SocketServer;
  readonly #sessions = new Set<RelaySession>();
  readonly #resumables: ResumableSessions;
  readonly #resumes: ResumeUpgrades;
  readonly #resumeMetrics: ResumeMetrics;
  readonly #proof: PeerProof;
  readonly #providers: WarmProviders;
  readonly #tokenWatch: TokenWatch<RelaySession>;
  #draining: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#metrics = gatewayMetrics(options.registry, () => this.#sessions.size);
    this.#admission = new Admission(options, () => ({
      sessions: this.#sessions.size,
      isDraining: this.#isDraining(),
    }));
    this.#sockets = createSocketServer(options.settings.REALTIME_MAX_MESSAGE_BYTES);
    const { logger, settings, limits = relayLimits } = options;
    this.#providers = new WarmProviders({ size: settings.PROVIDER_WARM_SOCKETS });
    this.#resumables = new ResumableSessions({
      ...options,
      sessionBytes: settings.REALTIME_RESUME_BUFFER_BYTES,
      podBytes: settings.REALTIME_RESUME_POD_BYTES,
      sessionSeconds: settings.REALTIME_MAX_SESSION_SECONDS,
      onError: (err) => logger.warn({ err }, 'announcing resume path failed'),
    });
    this.#resumeMetrics = resumeMetrics(options.registry, () => this.#resumables.sizes);
    this.#proof = createPeerProof([settings.SECRETS_KEY, ...settings.SECRETS_KEY_PREVIOUS]);
    this.#resumes = new ResumeUpgrades({
      ...options,
      resumables: this.#resumables,
      proof: this.#proof,
      silenceMs: limits.silenceMs,
      metrics: this.#resumeMetrics,
      onResuming: (handshake, resuming) => this.#continue(handshake, resuming),
      onPipeEnd: () => this.#reportEmpty(),
      restore: (handshake, asked, session) => this.#restore(handshake, asked, session),
    });
    this.#tokenWatch = new TokenWatch({
      withoutTokens: (organizationIds) => options.records.withoutTokens(organizationIds),
      onUsedUp: (session) => {
        options.quotaMetrics.refused('tokensPerDay');
        session.tokensUsedUp();
      },
      onError: (err) => logger.warn({ err }, 'token quota check failed'),
      lookMs: limits.quotaLookMs,
    });
  }

  get activeSessions(): number {
    return this.#sessions.size;
  }

  get pod(): string {
    return this.#options.pod;
  }

  readonly look = ({ kind, id }: PodHint): void => {
    if (kind === 'session') this.#options.presence.look(id);
    if (kind === 'approval') this.#options.tools.look(id);
  };

  readonly reread = (): void => {
    this.#options.presence.beat();
    this.#resumables.announceAll();
    this.#options.tools.reread();
  };

  readonly handleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#handle({ request, socket, head }, (handshake) => this.#upgrade(handshake));

  readonly handlePeerUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#handle({ request, socket, head }, (handshake) => this.#upgradeForPeer(handshake));

  #handle(
    { socket, ...upgrade }: Omit<Handshake, 'owner'>,
    work: (handshake: Handshake) => Promise<void>,
  ): void {
    // Node no longer listens on a socket that it hands over. Without this listener, a reset would
    // end the process.
    socket.on('error', ignore);
    const owner = new Owner((err) => {
      if (socket.destroyed) return false;
      this.#options.logger.error({ err }, 'upgrade failed');
      this.#metrics.refused('internal');
      socket.destroy();
      return true;
    });
    const handshake = { ...upgrade, socket, owner };
    attributeTo(owner.current, () => {
      work(handshake).catch(owner.takeError);
    });
  }

  readonly handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { error } =
      isSessionPath(request.url) || this.#isAtDoor(request)
        ? upgradeRequired(request.method)
        : refuseRequest('route-not-found', 'This server opens realtime sessions and nothing else.');
    const { status, headers, body } = this.#answer(request, error);
    response.writeHead(status, headers).end(body);
  };

  #isAtDoor({ url }: IncomingMessage): boolean {
    return this.#options.door !== undefined && isDoorPath(url);
  }

  #answer(request: IncomingMessage, error: Refusal['error']): WholeAnswer {
    return this.#isAtDoor(request) ? wholeOpenAiAnswer(error) : wholeAnswer(error);
  }

  readonly drain = (): Promise<void> => (this.#draining ??= this.#drain());

  #drain(): Promise<void> {
    this.#providers.close();
    return drainSessions({
      timeoutMs: this.#options.drainMs,
      empty: new Promise((resolve) => {
        this.#onEmpty = resolve;
        this.#reportEmpty();
      }),
      sessions: () => [...this.#sessions, ...this.#resumes.pipes],
      random: Math.random,
    }).then(() => this.#tokenWatch.close());
  }

  #reportEmpty(): void {
    if (this.#sessions.size + this.#resumes.pipes.size === 0) this.#onEmpty?.();
  }

  async #upgrade(handshake: Handshake): Promise<void> {
    const { request } = handshake;
    const arrivedAt = Date.now();
    const verdict = await this.#admission.judge(request);
    if (verdict.kind === 'resume') {
      const clientAddress = this.#options.clientAddress(request);
      await this.#resume({ handshake, asked: verdict, clientAddress, isPassedOn: false });
    } else if (verdict.kind === 'opening') this.#connect(handshake, verdict, arrivedAt);
    else if (isGone(handshake.socket)) handshake.socket.destroy();
    else this.#refuse(handshake, verdict);
  }

  #connect(handshake: Handshake, opening: Opening, arrivedAt: number): void {
    const { socket, owner } = handshake;
    const client = this.#accept(handshake);
    if (client) owner.takeError = this.#open(client, { ...opening, socket, arrivedAt }).takeError;
    else this.#admission.discard(opening.admitted);
  }

  /**
   * Undefined if the client left meanwhile, or if ws refused it after all: then ws has closed the
   * socket, and told nobody.
   */
  #accept({ request, socket, head }: Handshake): ClientSocket | undefined {
    let client: ClientSocket | undefined;
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => (client = accepted));
    return client;
  }

  /** Only other gateways of the deployment pass clients on, and only to resume sessions. */
  async #upgradeForPeer(handshake: Handshake): Promise<void> {
    const { request } = handshake;
    const clientAddress = this.#proof.clientOf(request);
    const asked = clientAddress === undefined ? noWebSocket() : this.#admission.parse(request);
    if (asked.kind !== 'resume' || clientAddress === undefined)
      this.#refuse(handshake, asked.kind === 'refused' ? asked : noWebSocket());
    else await this.#resume({ handshake, asked, clientAddress, isPassedOn: true });
  }

  async #resume(upgrade: ResumeUpgrade): Promise<void> {
    const { handshake } = upgrade;
    const refusal = await this.#resumes.handle(upgrade);
    if (refusal && !handshake.socket.destroyed) this.#refuse(handshake, refusal);
  }

  #continue(handshake: Handshake, { session, client }: Resuming): void {
    const { request, socket, head } = handshake;
    if (socket.destroyed) return;
    this.#sockets.handleUpgrade(request, socket, head, (connection) => {
      handshake.owner.takeError = session.takeError;
      session.resume(connection, client);
    });
  }

  async #restore(
    handshake: Handshake,
    asked: ResumeRequest,
    former: ResumableId,
  ): Promise<Refusal | Moved | undefined> {
    const arrivedAt = Date.now();
    const opening = await this.#admission.restore(asked, former);
    if (opening.kind !== 'opening') return opening;
    this.#resumeMetrics.restored();
    this.#connect(handshake, opening, arrivedAt);
    return undefined;
  }

  #isDraining(): boolean {
    return this.#draining !== undefined;
  }

  #open(
    client: ClientSocket,
    opening: Opening & { socket: Duplex; arrivedAt: number },
  ): RelaySession {
    const { admitted, targets, socket, arrivedAt } = opening;
    const { settings, presence, limits = relayLimits } = this.#options;
    const { sessionId } = admitted;
    const { organizationId, agentId, conversationId, keyId, memberId = null } = admitted.ticket;
    const { traceparent: parent } = admitted.ticket;
    const ids = { organizationId, agentId, conversationId };
    const { logger, tracing = noTracing } = this.#options;
    // A child logger would take a kilobyte for as long as the session lasts.
    const where = { session: sessionId, ...ids };
    const trace = traceSession(tracing, { parent, arrivedAt, sessionId, ...ids });
    logger.info(where, 'session admitted');
    this.#metrics.admitted();
    const own = sessionSettings(opening, settings);
    const session: RelaySession = new RelaySession(own, {
      client,
      socket,
      maxMessageBytes: settings.REALTIME_MAX_MESSAGE_BYTES,
      resumption:
        own.resumeGraceSeconds === null
          ? undefined
          : this.#resumables.enter({
              sessionId,
              ...ids,
              former: admitted.inherited?.former,
              session: () => session,
            }),
      dial: (via, onRefused) => {
        const target = targetAt(targets, via);
        // Only the deployment's own connection is shared between organizations.
        const owner = target.lookup ? organizationId : null;
        return this.#providers.dial({ ...target, organizationId: owner }, onRefused);
      },
      limits,
      metrics: this.#metrics,
      resumeMetrics: this.#resumeMetrics,
      recorder: this.#options.records.recorder({
        sessionId,
        organizationId,
        conversationId,
        isResumable: own.resumeGraceSeconds !== null,
      }),
      tools: trace.tools(admitted.tools),
      presentable: (message) => withoutSecrets(message, targets).slice(0, maxMessageLength),
      report: (event, details) => {
        logger[levelOf[event]]({ ...where, ...details }, event);
        if (event === 'provider ready') trace.providerReady();
      },
      onEnd: (close) => {
        logger.info({ ...where, close }, 'session ended');
        this.#metrics.ended(close);
        trace.end(close);
        this.#sessions.delete(session);
        this.#tokenWatch.leave(organizationId, session);
        this.#reportEmpty();
      },
      // If the process dies before, the worker finds the session among the lost ones, and ends it.
      onRecorded: async (outcome) => {
        if (outcome === 'failed') presence.abandon(sessionId);
        else await presence.leave(sessionId);
      },
    });
    this.#sessions.add(session);
    this.#tokenWatch.enter(organizationId, session);
    presence.enter(admitted.live, {
      openerId: keyId ?? memberId,
      onRevoked: () => session.revoke(),
    });
    return session;
  }

  #refuse({ request, socket, head }: Handshake, { reason, error, close }: Refusal): void {
    this.#metrics.refused(reason);
    if (close === undefined || !wantsErrorsOnSocket(request.url)) {
      writeAnswer(socket, this.#answer(request, error));
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => undefined);
      const code = error instanceof RealtimeError ? error.errorCode : close;
      client.send(errorEvent({ eventId: `event_${randomUUID()}`, code, message: error.message }));
      client.close(closeCodes[close].code, close);
    });
  }
}

const ignore = (): void => undefined;

/** ws would not open such a socket, and not say so. */
function isGone({ readable, writable }: Duplex): boolean {
  return !readable || !writable;
}

function targetAt(targets: readonly Target[], via: number): Target {
  const target = targets[via];
  if (!target) throw new Error('A session has only its own connections.');
  return target;
}

function withoutSecrets(message: string, targets: readonly Target[]): string {
  return targets.reduce((text, { secret }) => hideSecret(text, secret), message);
}

const levelOf = {
  'provider ready': 'info',
  'provider renewed': 'info',
  'provider not renewed': 'warn',
  'injected event rejected by provider': 'warn',
  'client detached': 'info',
  'client resumed': 'info',
  'session no longer resumable': 'warn',
  'session failed': 'error',
} as const satisfies Record<SessionEvent, keyof Logger>;
