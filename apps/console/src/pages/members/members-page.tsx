import { useMutation, useQuery } from '@tanstack/react-query';
import { Ellipsis, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useListPlace } from '../../address.js';
import { roles } from '../../api/account.js';
import type { Member, NewMember, SignInLink } from '@parley/client/server';
import { useMay, useOrganization, useParley } from '../../api/parley.js';
import { useMe } from '../../api/signed-in.js';
import { Badge } from '../../parts/badge.js';
import { Button, IconButton } from '../../parts/button.js';
import { DataTable, type Column } from '../../parts/data-table.js';
import { Menu, MenuItem } from '../../parts/menu.js';
import { Name } from '../../parts/name.js';
import { OwnersOnly } from '../../parts/owners-only.js';
import { Card, EmptyState, Page } from '../../parts/page.js';
import { ShownOnceDialog } from '../../parts/shown-once.js';
import { Time } from '../../parts/time.js';
import { tell, tellFailure } from '../../parts/toasts.js';
import { AddMemberDialog, ChangeRoleDialog, RemoveMemberDialog } from './member-dialogs.js';
import { roleTexts } from './roles.js';
import styles from './members.module.css';

type Open =
  | { readonly what: 'add' }
  | { readonly what: 'role' | 'remove'; readonly member: Member }
  | { readonly what: 'link'; readonly name: string; readonly link: SignInLink };

export function MembersPage() {
  const owner = useMay('owner');
  const [open, setOpen] = useState<Open>();
  return (
    <Page
      title="Members"
      lead="Who can use this organization in the console, and in which role."
      actions={
        owner ? (
          <Button look="primary" onClick={() => setOpen({ what: 'add' })}>
            <UserPlus size={16} /> Add member
          </Button>
        ) : undefined
      }
    >
      <OwnersOnly what="members">
        <MemberList onOpen={setOpen} />
        <RolesCard />
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
  const added = ({ name, signInLink }: NewMember) => {
    tell({ title: 'Member added', text: name });
    onOpen({ what: 'link', name, link: signInLink });
  };
  switch (open.what) {
    case 'add':
      return <AddMemberDialog onAdded={added} onClose={close} />;
    case 'role':
      return <ChangeRoleDialog member={open.member} onClose={close} />;
    case 'remove':
      return <RemoveMemberDialog member={open.member} onClose={close} />;
    case 'link':
      return (
        <ShownOnceDialog
          title="Pass on the sign-in link"
          description={
            <>
              It signs <bdi>{open.name}</bdi> in once and is not shown again. Anyone who has it can
              use it, so send it only to them. It expires <Time at={open.link.expiresAt} />.
            </>
          }
          what="sign-in link"
          secret={`${location.origin}${open.link.signInPath}`}
          onDone={close}
        />
      );
  }
}

function MemberList({ onOpen }: { readonly onOpen: (open: Open) => void }) {
  const { id } = useOrganization();
  const parley = useParley();
  const { user } = useMe();
  const { place, pagingOf } = useListPlace();
  const members = useQuery({
    queryKey: [id, 'members', place.offset],
    queryFn: async () => parley.members.list(place),
  });
  const link = useMutation({
    mutationFn: (member: Member) => parley.members.createSignInLink(member.id),
    onSuccess: (made, { name, email }) =>
      onOpen({ what: 'link', name: name === '' ? email : name, link: made }),
    onError: tellFailure,
  });
  return (
    <DataTable
      label="Members"
      columns={[...columnsFor(user.email), actionsColumn(onOpen, link.mutate)]}
      rows={members.data?.items}
      rowKey={(member) => member.id}
      error={members.error}
      onRetry={() => void members.refetch()}
      paging={pagingOf(members.data?.total)}
      empty={
        <EmptyState
          title="No members yet"
          action={<Button onClick={() => onOpen({ what: 'add' })}>Add member</Button>}
        >
          Add the people who manage agents, decide approvals or read conversations.
        </EmptyState>
      }
    />
  );
}

function columnsFor(yourEmail: string): readonly Column<Member>[] {
  return [
    {
      name: 'Name',
      cell: ({ name, email }) => (
        <span className={styles.person}>
          <span className={styles.you}>
            <Name text={name === '' ? email : name} />
            {email === yourEmail && (
              <Badge plain tone="accent">
                You
              </Badge>
            )}
          </span>
          <span className={styles.email}>{email}</span>
        </span>
      ),
    },
    { name: 'Role', short: true, cell: ({ role }) => roleTexts[role].label },
    { name: 'Added', minor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

function actionsColumn(
  onOpen: (open: Open) => void,
  onLink: (member: Member) => void,
): Column<Member> {
  return {
    name: 'Actions',
    quiet: true,
    number: true,
    cell: (member) => (
      <Menu
        trigger={
          <IconButton small label={`Actions for ${member.name}`} icon={<Ellipsis size={16} />} />
        }
      >
        <MenuItem onSelect={() => onOpen({ what: 'role', member })}>Change role</MenuItem>
        <MenuItem onSelect={() => onLink(member)}>New sign-in link</MenuItem>
        <MenuItem onSelect={() => onOpen({ what: 'remove', member })}>Remove</MenuItem>
      </Menu>
    ),
  };
}

function RolesCard() {
  return (
    <Card title="What each role may do">
      <dl className={styles.roles}>
        {roles.map((role) => (
          <div key={role}>
            <dt>{roleTexts[role].label}</dt>
            <dd>{roleTexts[role].does}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
