import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Connection } from '@parley/client/server';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useListPlace } from '../../address.js';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Dialog, DialogBody } from '../../parts/dialog.js';
import { FailureState } from '../../parts/failure-note.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Name } from '../../parts/name.js';
import { EmptyState, Page, Skeleton } from '../../parts/page.js';
import { Time } from '../../parts/time.js';
import { CreateConnectionDialog, EditConnectionDialog } from './connection-form.js';
import { TestConnectionDialog } from './connection-test.js';
import { DeleteConnectionDialog } from './delete-connection-dialog.js';
import { kinds } from './kinds.js';
import styles from './connections.module.css';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'test' | 'delete'; readonly connection: Connection };

export function ConnectionsPage() {
  const editor = useMay('editor');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Page
      title="Connections"
      lead="How agents reach model providers. An agent without a connection uses the deployment’s default."
      actions={
        editor ? (
          <Button look="primary" onClick={() => setOpen({ what: 'create' })}>
            <Plus size={16} /> Create connection
          </Button>
        ) : undefined
      }
    >
      <ConnectionList editor={editor} onOpen={setOpen} />
      {open?.what === 'create' && <CreateConnectionDialog onClose={close} />}
      {open?.what === 'test' && (
        <TestConnectionDialog
          connectionId={open.connection.id}
          name={open.connection.name}
          onClose={close}
        />
      )}
      {open?.what === 'delete' && (
        <DeleteConnectionDialog connection={open.connection} onClose={close} />
      )}
      {editor && <OpenConnection />}
    </Page>
  );
}

/** The form of the connection in the address. */
function OpenConnection() {
  const { id } = useOrganization();
  const parley = useParley();
  const [{ id: connectionId }, change] = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: [id, 'connections', 'one', connectionId],
    queryFn: () => parley.connections.get(connectionId ?? ''),
    enabled: connectionId !== undefined,
    // The form starts from what it finds, so it must not find an old copy.
    gcTime: 0,
  });
  const close = () => change({ id: undefined });
  if (connectionId === undefined) return null;
  if (data) return <EditConnectionDialog key={connectionId} connection={data} onClose={close} />;
  return (
    <Dialog title="Change the connection" onClose={close} wide>
      <DialogBody>
        {error === null ? (
          <Skeleton height={480} />
        ) : (
          <FailureState error={error} onRetry={() => void refetch()} />
        )}
      </DialogBody>
    </Dialog>
  );
}

function ConnectionList({
  editor,
  onOpen,
}: {
  readonly editor: boolean;
  readonly onOpen: (open: Open) => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const { place, pagingOf } = useListPlace();
  const connections = useQuery({
    queryKey: [id, 'connections', place.offset],
    queryFn: async () => parley.connections.list(place),
  });
  return (
    <DataTable
      label="Connections"
      leads={editor}
      columns={editor ? [...columnsFor(true), actionsColumn(onOpen)] : columnsFor(false)}
      rows={connections.data?.items}
      rowKey={(connection) => connection.id}
      error={connections.error}
      onRetry={() => void connections.refetch()}
      paging={pagingOf(connections.data?.total)}
      empty={
        <EmptyState
          title="No connections yet"
          action={
            editor && <Button onClick={() => onOpen({ what: 'create' })}>Create connection</Button>
          }
        >
          Agents use the deployment’s connection. Create one to use your own provider account.
        </EmptyState>
      }
    />
  );
}

function columnsFor(editor: boolean): readonly Column<Connection>[] {
  return [
    {
      name: 'Name',
      cell: (connection) =>
        editor ? (
          <Link to="." search={(before) => ({ ...before, id: connection.id })}>
            <Name text={connection.name} />
          </Link>
        ) : (
          <Name text={connection.name} />
        ),
    },
    {
      name: 'Provider',
      cell: ({ kind, baseUrl }) => (
        <span className={styles.name}>
          {kinds[kind].label.split(',')[0]}
          {baseUrl !== null && <code className={styles.address}>{baseUrl}</code>}
        </span>
      ),
    },
    {
      name: 'Models',
      minor: true,
      cell: ({ models }) => (models.length === 0 ? 'Any' : models.join(', ')),
    },
    {
      name: 'Secret',
      minor: true,
      short: true,
      cell: ({ hasSecret }) => (hasSecret ? 'Stored' : 'None'),
    },
    {
      name: 'State',
      cell: ({ enabled, realtime }) => (
        <span className={styles.testRow}>
          {enabled ? <Badge tone="ok">Enabled</Badge> : <Badge>Off</Badge>}
          {!realtime && <Badge plain>Text only</Badge>}
        </span>
      ),
    },
    { name: 'Changed', minor: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  ];
}

function actionsColumn(onOpen: (open: Open) => void): Column<Connection> {
  return {
    name: 'Actions',
    quiet: true,
    number: true,
    cell: (connection) => (
      <Menu
        trigger={
          <IconButton
            small
            label={`Actions for ${connection.name}`}
            icon={<Ellipsis size={16} />}
          />
        }
      >
        <MenuItem onSelect={() => onOpen({ what: 'test', connection })}>Test</MenuItem>
        <MenuItem onSelect={() => onOpen({ what: 'delete', connection })}>Delete</MenuItem>
      </Menu>
    ),
  };
}
