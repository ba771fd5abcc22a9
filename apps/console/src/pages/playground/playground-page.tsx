import type { Agent } from '@parley/client/server';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { buttonClass } from '../../parts/button.js';
import { FailureState } from '../../parts/failure-note.js';
import { EmptyState, Page, Skeleton } from '../../parts/page.js';
import { useChosenAgent } from './chosen-agent.js';
import { demoTools, type Tint } from './client-tools.js';
import { Composer } from './composer.js';
import { Inspector, inspectorTabs } from './inspector.js';
import { NoAgentNotice } from './no-agent-notice.js';
import { NoticeBar } from './notice-bar.js';
import { putBack } from './put-back.js';
import { SettingsPane } from './settings-pane.js';
import { TalkStage } from './talk-stage.js';
import { Transcript } from './transcript.js';
import { useConversation } from './use-conversation.js';
import { useCall } from './use-playground.js';
import { isPushToTalk, noWishes, type Wishes } from './wishes.js';
import styles from './playground.module.css';

/** How many agents the list offers; more would not fit. */
const maxAgents = 200;

export function PlaygroundPage() {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const { search } = useAddress();
  useEffect(() => {
    document.title = 'Playground · Parley';
  }, []);
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'agents', 'playground'],
    queryFn: () => parley.agents.list({ limit: maxAgents }),
  });
  if (!data)
    return error ? (
      <Page title="Playground">
        <FailureState error={error} onRetry={() => void refetch()} />
      </Page>
    ) : (
      <Waiting />
    );
  const first = data.items.find(({ realtimeEnabled }) => realtimeEnabled);
  const asked = search.agent ?? first?.id;
  if (asked === undefined)
    return (
      <Page title="Playground">
        <EmptyState
          title="No agents to talk to yet"
          action={
            <Link
              to="/$organizationId/agents/new"
              params={{ organizationId }}
              className={buttonClass('primary')}
            >
              Create agent
            </Link>
          }
        >
          The playground needs an agent with realtime sessions enabled.
        </EmptyState>
      </Page>
    );
  return <Playground listed={data.items} asked={asked} />;
}

const panes = [
  { value: 'settings', label: 'Settings' },
  { value: 'call', label: 'Call' },
  { value: 'inspect', label: 'Inspect' },
] as const;
type Pane = (typeof panes)[number]['value'];

function Playground({
  listed,
  asked,
}: {
  readonly listed: readonly Agent[];
  readonly asked: string;
}) {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const [mayEdit, mayDecide] = [useMay('editor'), useMay('approver')];
  const { search, go } = useAddress();
  const agentId = useLasting(search.agent, asked);
  const chosen = useChosenAgent(listed, agentId);
  const agent = 'agent' in chosen ? chosen.agent : undefined;
  const [wishes, setWishes] = useState(noWishes);
  const [tint, paint] = useState<Tint>('none');
  const [text, setText] = useState('');
  const [pane, setPane] = useState<Pane>('call');
  const onUnsent = (unsent: string) => setText((typed) => putBack(unsent, typed));
  const isReady = chosen.state === 'ready';
  const mayTalk = mayEdit && isReady;
  const call = useCall({ parley, agent: isReady ? agent : undefined, wishes, paint, onUnsent });
  const { id: conversationId, isCut } = useConversation(call, search.conversation);
  useEffect(() => {
    if (conversationId === undefined) return;
    if (search.conversation !== conversationId || search.agent !== agentId)
      go({ agent: agentId, conversation: conversationId });
  }, [go, search, agentId, conversationId]);
  const pushToTalk = isPushToTalk(wishes, agent);
  const tab = inspectorTabs.find((one) => one === search.tab) ?? 'events';
  const begin = (another: string) => {
    call.begin();
    paint('none');
    go({ agent: another, conversation: undefined });
  };
  return (
    <div className={styles.page} data-tint={tint}>
      <h1 className="visually-hidden">Playground</h1>
      <PaneChoice pane={pane} onPane={setPane} />
      <aside className={styles.left} data-shown={pane === 'settings'} aria-label="Settings">
        <SettingsPane
          call={call}
          listed={listed}
          agentId={agentId}
          agent={agent}
          wishes={wishes}
          onAgent={begin}
          onWishes={(change: Partial<Wishes>) => setWishes((now) => ({ ...now, ...change }))}
          onNew={() => begin(agentId)}
        />
      </aside>
      <div className={styles.middle} data-shown={pane === 'call'}>
        <div>
          {!mayEdit && (
            <p className={styles.notice} data-tone="neutral">
              Your role is read-only. Talking to an agent requires the editor role.
            </p>
          )}
          <NoAgentNotice chosen={chosen} />
          <TalkStage call={call} pushToTalk={pushToTalk} disabled={!mayTalk} />
        </div>
        <NoticeBar call={call} />
        <Transcript
          call={call}
          mayDecide={mayDecide}
          suggestions={mayTalk && agent ? suggestionsOf(agent, wishes) : []}
        >
          {isCut && conversationId !== undefined && <CutNote conversationId={conversationId} />}
        </Transcript>
        <Composer
          text={text}
          onText={setText}
          onSend={(said) => void call.write(said)}
          disabled={!mayTalk}
        />
      </div>
      <aside className={styles.right} data-shown={pane === 'inspect'} aria-label="Inspect">
        <Inspector
          call={call}
          agent={agent}
          organizationId={organizationId}
          wishes={wishes}
          tab={tab}
          onTab={(chosen) => go({ tab: chosen })}
        />
      </aside>
    </div>
  );
}

/** On a small screen, one pane is shown at a time. */
function PaneChoice({
  pane,
  onPane,
}: {
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
}) {
  return (
    <div className={styles.panes} role="group" aria-label="Parts of the page">
      {panes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={pane === value}
          onClick={() => onPane(value)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function CutNote({ conversationId }: { readonly conversationId: string }) {
  const { id: organizationId } = useOrganization();
  return (
    <p>
      Only the end of the conversation is shown.{' '}
      <Link
        to="/$organizationId/conversations/$conversationId"
        params={{ organizationId, conversationId }}
      >
        Read all of it
      </Link>
    </p>
  );
}

/** Phrases that are likely to make this agent do something. */
function suggestionsOf(agent: Agent, { tools }: Wishes): readonly string[] {
  const has = (name: string) => agent.tools.some((tool) => tool.name === name);
  return [
    'What can you do?',
    ...(has('current_time') ? ['What is the current time in Lisbon?'] : []),
    ...(has('create_task') ? ['Create a task to call the plumber'] : []),
    ...demoTools.filter(({ name }) => tools.includes(name)).map(({ phrase }) => phrase),
  ];
}

/** The last value that the address had, or at first another one. */
function useLasting(value: string | undefined, first: string): string {
  const [last, setLast] = useState(value ?? first);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** The agent, the conversation and the open tab are in the address. */
function useAddress() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = useCallback(
    (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({
        to: '.',
        search: (now: object) => ({ ...now, ...change }),
        replace: true,
      } as never),
    [navigate],
  );
  return { search, go };
}

function Waiting() {
  return (
    <div className={styles.page} aria-busy="true">
      <h1 className="visually-hidden">Playground</h1>
      <aside className={styles.left}>
        <div className={styles.settings}>
          <Skeleton height={34} />
          <Skeleton height={34} />
          <Skeleton height={34} />
        </div>
      </aside>
    </div>
  );
}
