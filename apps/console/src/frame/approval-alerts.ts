import { useNavigate } from '@tanstack/react-router';
import { claimSound, playAlert, readAlerts } from '../api/alerts.js';
import { useOnLiveEvent } from '../api/events.js';
import { useMay, useOrganization } from '../api/parley.js';

/** Alerts users who may decide about a new approval, in the ways they switched on. */
export function useApprovalAlerts(): void {
  const { id: organizationId, name } = useOrganization();
  const mayDecide = useMay('approver');
  const navigate = useNavigate();
  useOnLiveEvent(({ type, data }) => {
    if (type !== 'approval.waiting' || !mayDecide) return;
    const { id } = data;
    const { sound, notification } = readAlerts();
    if (sound && claimSound(id)) playAlert();
    if (!notification || Notification.permission !== 'granted') return;
    // The tag prevents several tabs from showing several notifications.
    const shown = new Notification('A tool call needs your approval', { body: name, tag: id });
    shown.onclick = () => {
      focus();
      shown.close();
      void navigate({
        to: '/$organizationId/approvals',
        params: { organizationId },
        search: { id },
      });
    };
  });
}
