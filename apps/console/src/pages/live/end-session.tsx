import type { LiveRealtimeSession } from '@parley/client/server';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PhoneOff } from 'lucide-react';
import { useState } from 'react';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { isRefusal } from '../../api/signed-in.js';
import { useAgent } from '../../api/agents.js';
import { Button } from '../../parts/button.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { tell } from '../../parts/toasts.js';

/** Ends a session after a confirmation. */
export function EndSession({ session }: { readonly session: LiveRealtimeSession }) {
  const [asking, setAsking] = useState(false);
  if (!useMay('editor')) return null;
  return (
    <>
      <Button small look="quietDanger" onClick={() => setAsking(true)}>
        <PhoneOff size={14} /> End
      </Button>
      {asking && <Confirm session={session} onClose={() => setAsking(false)} />}
    </>
  );
}

function Confirm({
  session,
  onClose,
}: {
  readonly session: LiveRealtimeSession;
  readonly onClose: () => void;
}) {
  const { id: organizationId } = useOrganization();
  const parley = useParley();
  const client = useQueryClient();
  const agent = useAgent(session.agentId);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      parley.realtimeSessions.end(session.id).catch((refusal: unknown) => {
        // The session already ended by itself, which is fine.
        if (!isRefusal(refusal, 404)) throw refusal;
      }),
    onSuccess: async () => {
      onClose();
      tell({ title: 'Call ended' });
      await client.invalidateQueries({ queryKey: [organizationId, 'sessions'] });
    },
  });
  return (
    <ConfirmDialog
      title="End this call?"
      consequences={
        <p>
          The caller is disconnected from <bdi>{agent?.name ?? 'the agent'}</bdi> immediately.
          Running tools and waiting approvals are cancelled. The conversation is kept.
        </p>
      }
      action="End call"
      busy={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
