import type { LiveRealtimeSession } from '@parley/client/server';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useOrganization } from '../../api/parley.js';
import { AgentName } from '../../parts/agent-name.js';
import { Badge } from '../../parts/badge.js';
import { IconButton } from '../../parts/button.js';
import { Card, EmptyState } from '../../parts/page.js';
import { TranscriptView } from '../conversations/transcript.js';
import { useTranscript } from '../conversations/use-transcript.js';
import { EndSession } from './end-session.js';
import styles from './live.module.css';

type Props = {
  readonly sessionId: string;
  /** Undefined once it has ended. */
  readonly live: LiveRealtimeSession | undefined;
  readonly onClose: () => void;
};

/** The transcript of a live call. It stays when the call ends. */
export function FollowedSession({ live, onClose }: Props) {
  const [last, setLast] = useState(live);
  if (live !== undefined && live.id !== last?.id) setLast(live);
  if (last === undefined)
    return (
      <Card>
        <EmptyState title="This call has ended">
          It ended, or the link is wrong. Its transcript is under Conversations.
        </EmptyState>
      </Card>
    );
  return (
    <section className={styles.followed} aria-label="Followed call">
      <header className={styles.head}>
        <h2>
          <AgentName id={last.agentId} />
        </h2>
        {live ? <Badge tone="ok">Live</Badge> : <Badge>Ended</Badge>}
        <Conversation id={last.conversationId} />
        <span className={styles.space} />
        {live && <EndSession session={live} />}
        <IconButton small label="Stop following" icon={<X size={16} />} onClick={onClose} />
      </header>
      <Words conversationId={last.conversationId} />
    </section>
  );
}

function Conversation({ id: conversationId }: { readonly id: string }) {
  const { id: organizationId } = useOrganization();
  return (
    <Link
      to="/$organizationId/conversations/$conversationId"
      params={{ organizationId, conversationId }}
    >
      Whole conversation
    </Link>
  );
}

function Words({ conversationId }: { readonly conversationId: string }) {
  return <TranscriptView transcript={useTranscript(conversationId)} />;
}
