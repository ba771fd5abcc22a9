import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { useListPlace } from '../../address.js';
import type { ApiKey, NewApiKey } from '@parley/client/server';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Name } from '../../parts/name.js';
import { OwnersOnly } from '../../parts/owners-only.js';
import { EmptyState, Page } from '../../parts/page.js';
import { Time, useNow } from '../../parts/time.js';
import { standingOf } from './expiry.js';
import { CreateKeyDialog, EditKeyDialog } from './key-form.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { RevokeKeyDialog } from './revoke-key-dialog.js';
import { scopesText } from './scopes.js';
import styles from './keys.module.css';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'created'; readonly made: NewApiKey }
  | { readonly what: 'edit' | 'revoke'; readonly apiKey: ApiKey };

export function KeysPage() {
  const owner = useMay('owner');
  const [open, setOpen] = useState<Open>();
  const create = (
    <Button look="primary" onClick={() => setOpen({ what: 'create' })}>
      <Plus size={16} /> Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="Credentials for your programs. A key is shown once, when it is created."
      actions={owner ? create : undefined}
    >
      <OwnersOnly what="API keys">
        <KeyList onOpen={setOpen} />
      </OwnersOnly>
      {open && <OpenDialog open={open} onOpen={setOpen} />}
    </Page>
  );
}

function OpenDialog({
  open,
  onOpen,
}: {
  readonly open: Open;
  readonly onOpen: (open: Open | undefined) => void;
}) {
  const close = () => onOpen(undefined);
  switch (open.what) {
    case 'create':
      return (
        <CreateKeyDialog onCreated={(made) => onOpen({ what: 'created', made })} onClose={close} />
      );
    case 'created':
      return <NewKeyDialog made={open.made} onDone={close} />;
    case 'edit':
      return <EditKeyDialog apiKey={open.apiKey} onClose={close} />;
    case 'revoke':
      return <RevokeKeyDialog apiKey={open.apiKey} onClose={close} />;
  }
}

function KeyList({ onOpen }: { readonly onOpen: (open: Open) => void }) {
  const { id } = useOrganization();
  const parley = useParley();
  const { place, pagingOf } = useListPlace();
  const keys = useQuery({
    queryKey: [id, 'keys', place.offset],
    queryFn: async () => parley.apiKeys.list(place),
  });
  return (
    <DataTable
      label="API keys"
      columns={[...columns, actionsColumn(onOpen)]}
      rows={keys.data?.items}
      rowKey={(key) => key.id}
      error={keys.error}
      onRetry={() => void keys.refetch()}
      paging={pagingOf(keys.data?.total)}
      empty={
        <EmptyState
          title="No keys yet"
          action={<Button onClick={() => onOpen({ what: 'create' })}>Create key</Button>}
        >
          Your programs need one to open sessions, ask questions or read conversations.
        </EmptyState>
      }
    />
  );
}

const columns: readonly Column<ApiKey>[] = [
  {
    name: 'Name',
    cell: (key) => (
      <span className={styles.name}>
        <Name text={key.name} />
        <code>{key.masked}</code>
      </span>
    ),
  },
  { name: 'Scopes', minor: true, cell: (key) => scopesText(key.scopes) },
  { name: 'Last used', cell: (key) => <Time at={key.lastUsedAt} absent="Never" /> },
  { name: 'Expires', cell: (key) => <Expires apiKey={key} /> },
  { name: 'Created', minor: true, cell: (key) => <Time at={key.createdAt} /> },
];

function actionsColumn(onOpen: (open: Open) => void): Column<ApiKey> {
  return {
    name: 'Actions',
    quiet: true,
    number: true,
    cell: (apiKey) =>
      apiKey.revokedAt === null && (
        <Menu
          trigger={
            <IconButton small label={`Actions for ${apiKey.name}`} icon={<Ellipsis size={16} />} />
          }
        >
          <MenuItem onSelect={() => onOpen({ what: 'edit', apiKey })}>Rename or extend</MenuItem>
          <MenuItem onSelect={() => onOpen({ what: 'revoke', apiKey })}>Revoke</MenuItem>
        </Menu>
      ),
  };
}

function Expires({ apiKey }: { readonly apiKey: ApiKey }) {
  const { expiresAt: at, revokedAt } = apiKey;
  const standing = standingOf(at, useNow(30_000));
  if (revokedAt !== null)
    return (
      <span className={styles.expires}>
        <Badge tone="danger">Revoked</Badge>
        <Time at={revokedAt} />
      </span>
    );
  return (
    <span className={styles.expires}>
      {standing === 'expired' && <Badge tone="danger">Expired</Badge>}
      {standing === 'expiring' && <Badge tone="warn">Expires soon</Badge>}
      <Time at={at} absent="Never" />
    </span>
  );
}
