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

/** Hangs up, once it was confirmed. */
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
        // It ended by itself meanwhile: that was what was wanted.
        if (!isRefusal(refusal, 404)) throw refusal;
      }),
    onSuccess: async () => {
      onClose();
      tell({ title: 'The call ended' });
      await client.invalidateQueries({ queryKey: [organizationId, 'sessions'] });
    },
  });
  return (
    <ConfirmDialog
      title="End this call?"
      consequences={
        <p>
          The caller is cut off from <bdi>{agent?.name ?? 'the agent'}</bdi> at once. What its tools
          are doing is cancelled, and approvals that wait in it are no longer needed. What was said
          stays in the conversation.
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
