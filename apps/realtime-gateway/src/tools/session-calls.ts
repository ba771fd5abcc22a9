import {
  adoptCall,
  CallCancelled,
  isUnannounced,
  openCall,
  readSuspension,
  SessionMoved,
  waitingApprovals,
  type OpenCall,
  type Suspension,
  type Toolbox,
} from '@parley/agent-runtime';
import type { Actor } from '@parley/protocol';
import type { AdoptedCall, CallRequest } from '../core/session.js';
import type { CallInput, ClientDecision, SessionCalls } from '../ports.js';
import type { Decisions } from './decisions.js';

export type ToolCallsOptions = {
  /** Resolves once the agent's tools are listed. */
  readonly toolbox: () => Promise<Toolbox>;
  readonly close: () => Promise<void>;
  readonly decisions: Decisions;
  readonly organizationId: string;
  readonly sessionId: string;
  /** The actor for decisions on the session's socket. */
  readonly actor: Actor;
  readonly report: (event: ToolsEvent, details: object) => void;
  /** Called when nothing of the session is running or waiting any more. */
  readonly onClosed: () => void;
  /** How long to wait before retrying if PostgreSQL is down when an adopted call must go on. */
  readonly retryMs?: number;
};

/** The events that a session's tools log. */
export type ToolsEvent =
  | 'storing decision failed'
  | 'closing toolbox failed'
  | 'reading sub-agent’s progress failed';

type Open = {
  call: OpenCall;
  readonly ending: AbortController;
  /**
   * `busy`: it is being advanced. `again`: something happened meanwhile, so it must be checked
   * again.
   */
  busy: boolean;
  again: boolean;
  /** When it is advanced again by itself. */
  retry: NodeJS.Timeout | undefined;
};

/** Advances the calls of one session independently of one another and of the relay. */
export class ToolCalls implements SessionCalls {
  readonly #options: ToolCallsOptions;
  readonly #open = new Map<string, Open>();
  readonly #tell: (input: CallInput) => void;
  #over = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: ToolCallsOptions, tell: (input: CallInput) => void) {
    this.#options = options;
    this.#tell = tell;
  }

  start(request: CallRequest): void {
    this.#begin(openCall(request));
  }

  adopt({ asked, suspended, ...call }: AdoptedCall): void {
    this.#begin(adoptCall(call, { asked, suspended: this.#readSuspension(call.id, suspended) }));
  }

  /** A call that has started, and of which no more is known, ends as unknown when it is claimed. */
  #readSuspension(call: string, suspended: unknown): Suspension | undefined {
    if (suspended === undefined) return undefined;
    try {
      return readSuspension(suspended);
    } catch (err) {
      this.#options.report('reading sub-agent’s progress failed', { err, call });
      return undefined;
    }
  }

  cancel(callIds: readonly string[]): void {
    for (const callId of callIds) {
      const open = this.#open.get(callId);
      if (open) this.#interrupt(open, new CallCancelled());
    }
  }

  decide(decision: ClientDecision): void {
    void this.#decide(decision);
  }

  end(): void {
    this.#end(new Error('session ended'));
  }

  handOver(): Promise<void> {
    const empty = new Promise<void>((resolve) => (this.#onEmpty = resolve));
    this.#end(new SessionMoved());
    return empty;
  }

  #begin(call: OpenCall): void {
    const ending = new AbortController();
    const open: Open = { call, ending, busy: false, again: false, retry: undefined };
    this.#open.set(call.callId, open);
    void this.#advance(open);
  }

  #end(reason: Error): void {
    if (this.#over) return;
    this.#over = true;
    for (const open of this.#open.values()) this.#interrupt(open, reason);
    this.#closeIfDone();
  }

  #interrupt(open: Open, reason: Error): void {
    open.ending.abort(reason);
    void this.#advance(open);
  }

  async #advance(open: Open): Promise<void> {
    open.again = open.busy;
    if (open.busy) return;
    open.busy = true;
    clearTimeout(open.retry);
    this.#unwatch(open.call);
    const toolbox = await this.#options.toolbox();
    const call = await toolbox.advance(open.call, open.ending.signal);
    open.call = call;
    open.busy = false;
    if (call.state === 'finished') this.#finish(call.callId, call.outcome.output);
    else if (open.again) void this.#advance(open);
    else if (open.ending.signal.reason instanceof SessionMoved) this.#leave(call.callId);
    else this.#wait(open);
  }

  /** Another pod goes on with the call. */
  #leave(callId: string): void {
    this.#open.delete(callId);
    this.#closeIfDone();
  }

  #finish(callId: string, output: string): void {
    this.#open.delete(callId);
    this.#tell({ kind: 'call.finished', callId, output });
    this.#closeIfDone();
  }

  #wait(open: Open): void {
    this.#tell({ kind: 'call.waiting', callId: open.call.callId });
    const advance = () => void this.#advance(open);
    for (const { id } of waitingApprovals(open.call)) this.#options.decisions.watch(id, advance);
    // Without a decision nothing else would tell the client what to decide.
    const { retryMs = 1000 } = this.#options;
    if (isUnannounced(open.call)) open.retry = setTimeout(advance, retryMs);
  }

  #unwatch(call: OpenCall): void {
    for (const { id } of waitingApprovals(call)) this.#options.decisions.unwatch(id);
  }

  async #decide({ approvalId: id, approve, eventId }: ClientDecision): Promise<void> {
    const { decisions, organizationId, sessionId, actor, report } = this.#options;
    const refused = (because: 'late' | 'unavailable') =>
      this.#tell({ kind: 'decision.refused', approvalId: id, because, eventId });
    const verdict = approve ? 'approved' : 'rejected';
    try {
      if (!(await decisions.decide({ id, organizationId, sessionId }, verdict, actor)))
        refused('late');
    } catch (err) {
      report('storing decision failed', { err, call: id });
      refused('unavailable');
    }
  }

  #closeIfDone(): void {
    if (!this.#over || this.#open.size > 0) return;
    this.#onEmpty?.();
    const { close, report, onClosed } = this.#options;
    close()
      .catch((err: unknown) => report('closing toolbox failed', { err }))
      .finally(onClosed);
  }
}
