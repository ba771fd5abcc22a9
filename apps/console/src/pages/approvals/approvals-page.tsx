import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../../api/parley.js';
import { Page } from '../../parts/page.js';
import { Tabs } from '../../parts/tabs.js';
import { AlertSettings } from './alert-settings.js';
import { DecidedApprovals } from './decided-approvals.js';
import { WaitingApprovals } from './waiting-approvals.js';

export function ApprovalsPage() {
  const { state } = useSearch({ from: '/$organizationId/approvals' });
  const navigate = useNavigate({ from: '/$organizationId/approvals' });
  const mayDecide = useMay('approver');
  return (
    <Page
      title="Approvals"
      lead="Tool calls that wait for a decision while the caller is on the line."
      actions={mayDecide ? <AlertSettings /> : undefined}
    >
      <Tabs
        label="Approvals"
        value={state === undefined ? 'waiting' : 'decided'}
        onChange={(tab) => void navigate({ search: { state: tab === 'waiting' ? '' : 'decided' } })}
        tabs={[
          { value: 'waiting', label: 'Waiting', content: <WaitingApprovals /> },
          { value: 'decided', label: 'Decided', content: <DecidedApprovals /> },
        ]}
      />
    </Page>
  );
}
