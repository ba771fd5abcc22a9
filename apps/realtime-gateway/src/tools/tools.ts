import type { AgentRuntime, Emit } from '@parley/agent-runtime';
import type { Logger } from '@parley/service-kit';
import pTimeout from 'p-timeout';
import { Gauge, type Registry } from 'prom-client';
import type { CallInput, Tools, ToolSession } from '../ports.js';
import { Decisions, type DecisionsOptions } from './decisions.js';
import { ToolCalls } from './session-calls.js';

export type ToolsOptions = Pick<DecisionsOptions, 'approvals' | 'waitingAmong'> & {
  readonly runtime: Pick<AgentRuntime, 'openToolbox'>;
  /** The pod that decisions are announced to. */
  readonly pod: string;
  readonly logger: Logger;
  readonly registry: Registry;
  /** How long closing waits for the remains of ended sessions, whose tools are already aborted. */
  readonly closeMs: number;
};

export function createTools(options: ToolsOptions): Tools {
  const { approvals, waitingAmong, logger, registry } = options;
  const decisions = new Decisions({
    approvals,
    waitingAmong,
    onError: (err) => logger.warn({ err }, 'reading decisions failed'),
  });
  const open = new Set<ToolCalls>();
  let onEmpty: (() => void) | undefined;
  countWaiting(registry, decisions);
  return {
    open(session) {
      let tell: ((input: CallInput) => void) | undefined;
      const emit: Emit = (event, asked) => tell?.({ kind: 'call.told', event, asked });
      const { toolbox, listed, close } = openToolbox(options, session, emit);
      const { organizationId, conversationId, sessionId, agent } = session;
      const { id: agentId } = agent.agent;
      const where = { session: sessionId, organizationId, agentId, conversationId };
      return {
        listed,
        calls(listener) {
          tell = listener;
          const calls = new ToolCalls(
            {
              toolbox,
              close,
              decisions,
              organizationId,
              sessionId,
              actor: { kind: 'session', id: sessionId, name: 'end user' },
              report: (event, details) => logger.error({ ...where, ...details }, event),
              onClosed() {
                open.delete(calls);
                if (open.size === 0) onEmpty?.();
              },
            },
            listener,
          );
          open.add(calls);
          return calls;
        },
        close,
      };
    },
    look: (id) => decisions.look(id),
    reread: () => decisions.reread(),
    async close() {
      const empty = new Promise<void>((resolve) => (onEmpty = resolve));
      if (open.size > 0) await pTimeout(empty, { milliseconds: options.closeMs, message: false });
      decisions.close();
    },
  };
}

/**
 * Starts to list the session's tools. Closing aborts that, too. Only tools of MCP servers are kept
 * from then on; an agent's own are bound again when the first one is called, which takes no time,
 * because most sessions are silent and most of their memory would be tools.
 */
function openToolbox(
  { runtime, pod }: ToolsOptions,
  { agent, clientTools, isResumable = false, ...session }: ToolSession,
  emit: Emit,
) {
  const { organizationId, conversationId, sessionId } = session;
  const hasServers = agent.tools.some(({ kind }) => kind === 'mcp');
  const abandoned = hasServers ? new AbortController() : undefined;
  const open = () =>
    runtime.openToolbox({ organizationId, conversationId, sessionId, runId: null }, agent, {
      owner: pod,
      isMovable: isResumable,
      reservedNames: clientTools.map(({ name }) => name),
      emit,
      abandoned: abandoned?.signal,
    });
  const first = open();
  const listed = first.then(({ declarations }) => declarations);
  // Whoever waits for the tools gets the failure; nobody does if the session is not opened.
  listed.catch(() => undefined);
  let opened = hasServers ? first : undefined;
  const close = async () => {
    abandoned?.abort();
    await (await opened)?.close();
  };
  return { toolbox: () => (opened ??= open()), listed, close };
}

function countWaiting(registry: Registry, decisions: Decisions): void {
  new Gauge({
    name: 'parley_realtime_approvals_waiting',
    help: 'Tool calls of this process waiting for approval.',
    registers: [registry],
    collect() {
      this.set(decisions.waiting);
    },
  });
}
