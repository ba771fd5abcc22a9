import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../api/account.js';
import { fieldErrorsOf } from '../../api/failure.js';
import type { Member, NewMember } from '@parley/client/server';
import { useOrganization, useParley } from '../../api/parley.js';
import { meQuery, queryClient, useMe } from '../../api/signed-in.js';
import { ConfirmDialog, FormDialog } from '../../parts/dialog.js';
import { TextField } from '../../parts/fields.js';
import { tell } from '../../parts/toasts.js';
import { RoleField } from './role-field.js';
import { roleTexts } from './roles.js';

export function AddMemberDialog({
  onAdded,
  onClose,
}: {
  readonly onAdded: (added: NewMember) => void;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const add = useMutation({
    mutationFn: () => parley.members.add({ email: email.trim(), name: name.trim(), role }),
    onSuccess: (added) => {
      void queryClient.invalidateQueries({ queryKey: [id, 'members'] });
      onAdded(added);
    },
  });
  const problems = fieldErrorsOf(add.error);
  return (
    <FormDialog
      title="Add a member"
      description="You get a one-time sign-in link for them. Parley does not send email, so pass it on yourself."
      action="Add member"
      busy={add.isPending}
      error={add.error}
      disabled={email.trim() === ''}
      onClose={onClose}
      onSubmit={() => add.mutate()}
    >
      <TextField
        label="Email"
        type="email"
        autoFocus
        autoComplete="off"
        value={email}
        error={problems.get('/email')}
        onChange={setEmail}
      />
      <TextField
        label="Name (optional)"
        help="An existing account keeps its name."
        autoComplete="off"
        value={name}
        error={problems.get('/name')}
        onChange={setName}
      />
      <RoleField value={role} error={problems.get('/role')} onChange={setRole} />
    </FormDialog>
  );
}

export function ChangeRoleDialog({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const { user } = useMe();
  const [role, setRole] = useState(member.role);
  const change = useMutation({
    mutationFn: () => parley.members.changeRole(member.id, { role }),
    onSuccess: async () => {
      tell({ title: `${member.name} is now ${roleTexts[role].label.toLowerCase()}` });
      onClose();
      if (member.email === user.email) await queryClient.invalidateQueries(meQuery);
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
    },
  });
  return (
    <FormDialog
      title="Change the role"
      description={<bdi>{member.name}</bdi>}
      action="Change role"
      busy={change.isPending}
      error={change.error}
      disabled={role === member.role}
      onClose={onClose}
      onSubmit={() => change.mutate()}
    >
      <RoleField value={role} error={fieldErrorsOf(change.error).get('/role')} onChange={setRole} />
      {member.email === user.email && role !== 'owner' && (
        <p>
          This is your own role: you will no longer see members or keys, and cannot change it back.
        </p>
      )}
    </FormDialog>
  );
}

export function RemoveMemberDialog({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}) {
  const { id } = useOrganization();
  const parley = useParley();
  const { user } = useMe();
  const you = member.email === user.email;
  const remove = useMutation({
    mutationFn: () => parley.members.remove(member.id),
    onSuccess: async () => {
      tell({ title: 'Member removed', text: member.name });
      onClose();
      if (you) await queryClient.invalidateQueries(meQuery);
      await queryClient.invalidateQueries({ queryKey: [id, 'members'] });
    },
  });
  return (
    <ConfirmDialog
      title={you ? 'Leave the organization?' : `Remove ${member.name}?`}
      action={you ? 'Leave' : 'Remove member'}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      consequences={
        <p>
          {you ? 'You lose' : `${member.email} loses`} access immediately, in every browser.
          Everything they created is kept. Revoke API keys that they may still have.
        </p>
      }
    />
  );
}
