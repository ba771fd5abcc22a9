import type { Agent } from '@parley/client/server';
import { CodeBlock } from '../../parts/code-block.js';
import { Tabs } from '../../parts/tabs.js';
import { sessionAsCode } from './as-code.js';
import type { Call } from './call.js';
import type { CallState } from './call-state.js';
import { EventsPanel } from './events-panel.js';
import { LatencyPanel } from './latency-panel.js';
import { ToolsPanel } from './tools-panel.js';
import { UsagePanel } from './usage-panel.js';
import { useCallPart } from './use-call.js';
import { demoTools } from './client-tools.js';
import { isPushToTalk, sessionRequest, type Wishes } from './wishes.js';
import measures from './measures.module.css';

export const inspectorTabs = ['events', 'tools', 'latency', 'usage', 'code'] as const;
export type InspectorTab = (typeof inspectorTabs)[number];

/** Details of the call for developers. */
export function Inspector(props: {
  readonly call: Call;
  readonly agent: Agent | undefined;
  readonly organizationId: string;
  readonly wishes: Wishes;
  readonly tab: InspectorTab;
  readonly onTab: (tab: InspectorTab) => void;
}) {
  const { call, agent, wishes } = props;
  return (
    <Tabs
      label="Inspect the session"
      value={props.tab}
      onChange={props.onTab}
      tabs={[
        { value: 'events', label: 'Events', content: <EventsPanel call={call} /> },
        {
          value: 'tools',
          label: 'Tools',
          content: <ToolsPanel call={call} agent={agent} clientTools={wishes.tools} />,
        },
        { value: 'latency', label: 'Latency', content: <LatencyPanel call={call} /> },
        { value: 'usage', label: 'Usage', content: <UsagePanel call={call} /> },
        { value: 'code', label: 'Code', content: <CodePanel {...props} /> },
      ]}
    />
  );
}

const talkingOf = (now: CallState) => now.microphone !== 'off';
const conversationOf = (now: CallState) => now.conversationId;

function CodePanel({
  call,
  agent,
  organizationId,
  wishes,
}: {
  readonly call: Call;
  readonly agent: Agent | undefined;
  readonly organizationId: string;
  readonly wishes: Wishes;
}) {
  const talking = useCallPart(call, talkingOf);
  const conversationId = useCallPart(call, conversationOf);
  if (!agent) return <p className={measures.empty}>Choose an agent first.</p>;
  const clientTools = demoTools
    .filter(({ name }) => wishes.tools.includes(name))
    .map(({ name, make }) => {
      const { description, parameters } = make({ paint: () => undefined, now: () => new Date() });
      return { name, description, ...(parameters && { parameters }) };
    });
  const request = sessionRequest(wishes, { conversationId, clientTools, talking });
  const snippets = sessionAsCode({
    origin: location.origin,
    organizationId,
    agentId: agent.id,
    request,
    talking,
    pushToTalk: isPushToTalk(wishes, agent),
  });
  return (
    <div className={measures.panel}>
      <p className={measures.note}>
        Code for your own backend and page to create and open this session. The key is read from the
        environment: create one under API keys.
      </p>
      <CodeBlock label="This session as code" snippets={snippets} />
    </div>
  );
}
