import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { AudioLines } from 'lucide-react';
import type { ConversationDetails } from '@parley/client/server';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { Badge } from '../../parts/badge.js';
import { buttonClass } from '../../parts/button.js';
import { FailureState } from '../../parts/failure-note.js';
import { Card, Page } from '../../parts/page.js';
import { exactTime } from '../../parts/words.js';
import { ConversationSide } from './conversation-side.js';
import { DeleteConversation } from './delete-conversation.js';
import { ExportConversation } from './export-conversation.js';
import { TranscriptView } from './transcript.js';
import { useTranscript } from './use-transcript.js';
import styles from './conversation.module.css';

export function ConversationPage() {
  const { conversationId } = useParams({ from: '/$organizationId/conversations/$conversationId' });
  return <Conversation key={conversationId} conversationId={conversationId} />;
}

function Conversation({ conversationId }: { readonly conversationId: string }) {
  const { id } = useOrganization();
  const parley = useParley();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'conversations', conversationId],
    queryFn: () => parley.conversations.get(conversationId),
  });
  const transcript = useTranscript(conversationId);
  if (data === undefined && error !== null)
    return (
      <Page title="Conversation">
        <Card>
          <FailureState error={error} onRetry={() => void refetch()} />
        </Card>
      </Page>
    );
  return (
    <Page
      title="Conversation"
      lead={data && <Lead conversation={data} />}
      actions={data && <Actions conversation={data} />}
    >
      <div className={styles.columns}>
        <section className={styles.main} aria-label="What was said">
          <TranscriptView transcript={transcript} sessions={data?.sessions ?? []} />
        </section>
        <ConversationSide conversation={data} />
      </div>
    </Page>
  );
}

function Lead({ conversation }: { readonly conversation: ConversationDetails }) {
  const live = conversation.sessions.some(({ endedAt }) => endedAt === null);
  return (
    <>
      With <AgentName id={conversation.agentId} />, since{' '}
      {exactTime(new Date(conversation.createdAt))} {live && <Badge tone="ok">Live</Badge>}
    </>
  );
}

function Actions({ conversation }: { readonly conversation: ConversationDetails }) {
  const { id: organizationId } = useOrganization();
  const mayEdit = useMay('editor');
  return (
    <>
      {mayEdit && <DeleteConversation conversation={conversation} />}
      <ExportConversation conversationId={conversation.id} />
      {mayEdit && (
        <Link
          className={buttonClass('primary')}
          to="/$organizationId/playground"
          params={{ organizationId }}
          search={{ agent: conversation.agentId, conversation: conversation.id }}
        >
          <AudioLines size={16} /> Continue in the playground
        </Link>
      )}
    </>
  );
}
