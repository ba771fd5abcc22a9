import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useOrganization, useParley } from '../../api/parley.js';
import { Button } from '../../parts/button.js';
import { changesOf } from '../../parts/changes.js';
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { FailureNote } from '../../parts/failure-note.js';
import { Skeleton } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { changedParts, draftOf } from './agent-draft.js';
import { agentQuery, stateOf, type AgentState } from './agents-query.js';
import type { EditedAgent } from './use-agent-draft.js';
import styles from './conflict-dialog.module.css';

/** Two people changed the agent: the second to save chooses how to resolve the conflict. */
export function ConflictDialog({
  edit,
  agentId,
  onDone,
}: {
  readonly edit: EditedAgent;
  readonly agentId: string;
  readonly onDone: () => void;
}) {
  const parley = useParley();
  const { id: organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const query = agentQuery(parley, organizationId, agentId);
  const { data: theirs, error } = useQuery({
    queryKey: [organizationId, 'agents', 'theirs', agentId, edit.etag],
    queryFn: async () => stateOf(await parley.agents.get(agentId)),
    gcTime: 0,
  });
  const mine = changesOf(edit.base, edit.value);
  const take = (state: AgentState, changes: typeof mine) => {
    queryClient.setQueryData(query.queryKey, state);
    edit.begin(state, changes);
    onDone();
  };
  return (
    <Dialog
      title="Somebody else changed this agent"
      description="It was saved after you started editing. Your changes are not lost, and theirs were not overwritten."
      wide
      onClose={onDone}
    >
      <DialogBody>
        <FailureNote error={error} />
        {theirs ? (
          <Both edit={edit} theirs={theirs} />
        ) : (
          !error && <Skeleton width="70%" height={40} />
        )}
      </DialogBody>
      <DialogActions>
        <Button onClick={onDone}>Keep editing</Button>
        <Button look="quietDanger" disabled={!theirs} onClick={() => theirs && take(theirs, {})}>
          Discard my changes
        </Button>
        <Button look="primary" disabled={!theirs} onClick={() => theirs && take(theirs, mine)}>
          Apply my changes to theirs
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Both({ edit, theirs }: { readonly edit: EditedAgent; readonly theirs: AgentState }) {
  const yours = changedParts(edit.base, edit.value);
  const others = changedParts(edit.base, draftOf(theirs.agent));
  const both = yours.filter((part) => others.includes(part));
  return (
    <>
      <dl className={styles.parts}>
        <dt>They changed</dt>
        <dd>
          {others.length === 0 ? 'secrets, or nothing visible' : others.join(', ')},{' '}
          <Time at={theirs.agent.updatedAt} />
        </dd>
        <dt>You changed</dt>
        <dd>{yours.join(', ')}</dd>
      </dl>
      <p>
        {both.length === 0
          ? 'You changed different parts, so both changes can be kept.'
          : `You both changed: ${both.join(', ')}. If you apply yours, they replace theirs when you save.`}
      </p>
    </>
  );
}
