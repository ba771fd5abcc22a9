import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { download } from '../../parts/download.js';
import { tellFailure } from '../../parts/toasts.js';

/** Downloads everything about a conversation as one JSON file. */
export function ExportConversation({ conversationId }: { readonly conversationId: string }) {
  const parley = useParley();
  const { mutate, isPending } = useMutation({
    mutationFn: () => parley.conversations.export(conversationId),
    onSuccess: (all) =>
      download(
        new Blob([JSON.stringify(all, null, 2)], { type: 'application/json' }),
        `conversation-${conversationId}.json`,
      ),
    onError: tellFailure,
  });
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      <Download size={16} /> Export
    </Button>
  );
}
