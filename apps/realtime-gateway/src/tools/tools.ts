import type { AgentRuntime } from '@parley/agent-runtime';
import type { Logger } from '@parley/service-kit';
import pTimeout from 'p-timeout';
import { Gauge, type Registry } from 'prom-client';
import type { CallInput, Tools } from '../ports.js';
import { Decisions, type DecisionsOptions } from './decisions.js';
import { ToolCalls } from './tool-calls.js';

export type ToolsOptions = Pick<DecisionsOptions, 'approvals' | 'waitingAmong'> & {
  readonly runtime: Pick<AgentRuntime, 'openToolbox'>;
  /** Whom a decision is told. */
  readonly pod: string;
  readonly logger: Logger;
  readonly registry: Registry;
};

/** How long closing waits for what ended sessions leave: their tools are aborted already. */
const closeMs = 5000;

export function createTools(options: ToolsOptions): Tools {
  const { runtime, approvals, waitingAmong, pod, logger, registry } = options;
  const decisions = new Decisions({
    approvals,
    waitingAmong,
    onError: (err) => logger.warn({ err }, 'reading decisions failed'),
  });
  const open = new Set<ToolCalls>();
  let onEmpty: (() => void) | undefined;
  countWaiting(registry, decisions);
  return {
    async open({ organizationId, agentId, conversationId, sessionId, clientTools }) {
      let tell: ((input: CallInput) => void) | undefined;
      const place = { organizationId, conversationId, sessionId, runId: null };
      const toolbox = await runtime.openToolbox(place, agentId, {
        owner: pod,
        reservedNames: clientTools.map(({ name }) => name),
        emit: (event) => tell?.({ kind: 'call.told', event }),
      });
      const log = logger.child({ session: sessionId, organizationId, agentId, conversationId });
      return {
        declarations: toolbox.declarations,
        calls(listener) {
          tell = listener;
          const calls = new ToolCalls(
            {
              toolbox,
              decisions,
              organizationId,
              actor: { kind: 'session', id: sessionId, name: 'end user' },
              report: (event, details) => log.error(details, event),
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
        close: () => toolbox.close(),
      };
    },
    look: (id) => decisions.look(id),
    reread: () => decisions.reread(),
    async close() {
      const empty = new Promise<void>((resolve) => (onEmpty = resolve));
      if (open.size > 0) await pTimeout(empty, { milliseconds: closeMs, message: false });
      decisions.close();
    },
  };
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
