import type { ConversationDetails } from '@parley/client/server';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useOrganization, useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { tell } from '../../parts/toasts.js';
import { countOf } from '../../parts/words.js';

export function DeleteConversation({
  conversation,
}: {
  readonly conversation: ConversationDetails;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="quietDanger" onClick={() => setAsking(true)}>
        <Trash2 size={16} /> Delete
      </Button>
      {asking && <Confirm conversation={conversation} onClose={() => setAsking(false)} />}
    </>
  );
}

function Confirm({
  conversation,
  onClose,
}: {
  readonly conversation: ConversationDetails;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id, messageCount, sessions } = conversation;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => parley.conversations.delete(id),
    onSuccess: async () => {
      await navigate({ to: '/$organizationId/conversations', params: { organizationId } });
      await client.invalidateQueries({ queryKey: [organizationId, 'conversations'] });
      tell({ title: 'Conversation deleted' });
    },
  });
  const live = sessions.filter(({ endedAt }) => endedAt === null).length;
  return (
    <ConfirmDialog
      title="Delete this conversation?"
      consequences={
        <p>
          {countOf(messageCount, 'message')} and the records of {countOf(sessions.length, 'call')}{' '}
          are deleted, including arguments and results of tool calls
          {live > 0 && `; ${countOf(live, 'live call ends', 'live calls end')}`}. Texts that the
          agent wrote into tasks are deleted, too. The audit log records the deletion. This cannot
          be undone.
        </p>
      }
      action="Delete conversation"
      typeToConfirm={id.slice(0, 8)}
      busy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
