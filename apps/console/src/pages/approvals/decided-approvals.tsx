import type { Approval } from '@parley/client/server';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useOrganization, useParley } from '../../api/parley.js';
import { useMe } from '../../api/signed-in.js';
import { AgentName } from '../../parts/agent-name.js';
import { Badge } from '../../parts/badge.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Dialog, DialogBody } from '../../parts/dialog.js';
import { ChoiceFilter, Filters } from '../../parts/filters.js';
import { EmptyState } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { ToolTitle } from '../../parts/tool-title.js';
import { offsetOf } from '../../search.js';
import { decidedStates, deciderText, deepest, readDecided } from './inbox.js';
import { ApprovalRecord } from './open-approval.js';
import { stateWords } from './state-words.js';
import styles from './approvals.module.css';

const limit = 25;
const from = '/$organizationId/approvals';

/** Who decided what, and when. */
export function DecidedApprovals() {
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const state = decidedStates.find((each) => each === search.state);
  const offset = offsetOf(search.offset);
  const { data, error, refetch } = useDecided(state, offset);
  const open = data?.items.find(({ id }) => id === search.id);
  return (
    <div className={styles.decided}>
      <Filters>
        <ChoiceFilter
          label="Outcome"
          value={state ?? 'decided'}
          options={[
            { value: 'decided', label: 'All' },
            ...decidedStates.map((value) => ({ value, label: stateWords[value].word })),
          ]}
          onChange={(chosen) => void navigate({ search: { state: chosen } })}
        />
        {state === undefined && data?.total === deepest && (
          <span className={styles.note}>
            The newest {deepest}. Choose an outcome to see older ones.
          </span>
        )}
      </Filters>
      <DataTable
        label="Decided approvals"
        columns={useColumns()}
        rows={data?.items}
        rowKey={({ id }) => id}
        leads
        error={error}
        onRetry={() => void refetch()}
        empty={
          <EmptyState title="No decisions yet">
            Approved and rejected calls are listed here with their arguments.
          </EmptyState>
        }
        paging={
          data && {
            total: data.total,
            offset,
            limit,
            onMove: (to) =>
              void navigate({ search: (now) => ({ ...now, id: '', offset: String(to) }) }),
          }
        }
      />
      {open && (
        <Dialog
          title="Decided approval"
          wide
          onClose={() => void navigate({ search: (now) => ({ ...now, id: '' }) })}
        >
          <DialogBody>
            <ApprovalRecord approval={open} />
          </DialogBody>
        </Dialog>
      )}
    </div>
  );
}

function useDecided(state: (typeof decidedStates)[number] | undefined, offset: number) {
  const { id } = useOrganization();
  const parley = useParley();
  return useQuery({
    queryKey: [id, 'approvals', 'decided', state ?? 'all', offset],
    queryFn: () => readDecided(parley, { state, offset }, limit),
    placeholderData: keepPreviousData,
  });
}

function useColumns(): Column<Approval>[] {
  const { id: organizationId } = useOrganization();
  const me = useMe().user.id;
  return [
    {
      name: 'Call',
      cell: ({ id, agentId, name }) => (
        <Link
          to="/$organizationId/approvals"
          params={{ organizationId }}
          search={(now) => ({ ...now, id })}
        >
          <ToolTitle agentId={agentId} name={name} />
        </Link>
      ),
    },
    {
      name: 'Outcome',
      cell: ({ state }) =>
        state === 'waiting' ? null : (
          <Badge tone={stateWords[state].tone}>{stateWords[state].word}</Badge>
        ),
    },
    {
      name: 'Decided by',
      cell: ({ decidedBy }) => <bdi>{deciderText(decidedBy, me) ?? '–'}</bdi>,
    },
    { name: 'Agent', minor: true, cell: ({ agentId }) => <AgentName id={agentId} /> },
    { name: 'Asked', minor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { name: 'Decided', minor: true, cell: ({ decidedAt }) => <Time at={decidedAt} /> },
  ];
}
