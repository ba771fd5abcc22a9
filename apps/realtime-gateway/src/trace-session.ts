import { noTracing, type Span, type Tracing } from '@parley/service-kit';
import type { EndName } from './metrics.js';
import type { CallInput, SessionTools } from './ports.js';

export type SessionTrace = {
  providerReady(): void;
  /** The same tools, with a span of the session for each call and each wait for a person. */
  tools(tools: SessionTools): Pick<SessionTools, 'listed' | 'calls'>;
  end(close: EndName): void;
};

export type TracedSession = {
  /** The context of the request that created the session. */
  readonly parent: string | undefined;
  readonly arrivedAt: number;
  readonly sessionId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly conversationId: string;
};

const untraced: SessionTrace = {
  providerReady: () => undefined,
  tools: (tools) => tools,
  end: () => undefined,
};

/** One trace from the request that created a session to the session's end. Frames have no spans. */
export function traceSession(tracing: Tracing, session: TracedSession): SessionTrace {
  if (tracing === noTracing) return untraced;
  const { parent, arrivedAt, ...ids } = session;
  const { sessionId, organizationId, agentId, conversationId } = ids;
  const facts = { session: sessionId, organizationId, agentId, conversationId };
  const whole = tracing.start('session', { parent, startedAt: arrivedAt, facts });
  const within = (name: string, startedAt = Date.now()): Span =>
    tracing.start(name, { parent: whole.traceparent, startedAt });
  within('admit', arrivedAt).end();
  const connect = within('provider connect');
  let connected = false;
  const open = new Map<string, Span>();
  const begin = (key: string, name: string) => open.set(key, within(name));
  const finish = (key: string) => {
    open.get(key)?.end();
    open.delete(key);
  };
  const observe = ({ kind, ...input }: CallInput): void => {
    if (!('callId' in input)) return;
    const approval = `approval ${input.callId}`;
    if (kind === 'call.waiting' && !open.has(approval)) begin(approval, 'approval');
    if (kind === 'call.finished') for (const key of [approval, input.callId]) finish(key);
  };
  return {
    providerReady() {
      connected = true;
      connect.end();
    },
    tools: (tools) => ({
      listed: tools.listed,
      calls(tell) {
        const calls = tools.calls((input) => {
          observe(input);
          tell(input);
        });
        return {
          start(call) {
            begin(call.callId, 'tool call');
            calls.start(call);
          },
          adopt(call) {
            begin(call.callId, 'tool call');
            calls.adopt(call);
          },
          cancel: (callIds) => calls.cancel(callIds),
          decide: (decision) => calls.decide(decision),
          end: () => calls.end(),
          handOver: () => calls.handOver(),
        };
      },
    }),
    end(close) {
      if (!connected) connect.end({ failed: true });
      for (const span of open.values()) span.end({ failed: true });
      whole.end({ facts: { close }, failed: close === 'InternalError' });
    },
  };
}
