import { useNavigate } from '@tanstack/react-router';
import { claimSound, playAlert, readAlerts } from '../api/alerts.js';
import { useOnLiveEvent } from '../api/events.js';
import { useMay, useOrganization } from '../api/parley.js';

/** Tells a person who may decide that something waits, in the ways that they switched on. */
export function useApprovalAlerts(): void {
  const { id: organizationId, name } = useOrganization();
  const mayDecide = useMay('approver');
  const navigate = useNavigate();
  useOnLiveEvent(({ type, data }) => {
    const { id } = data;
    if (type !== 'approval.waiting' || !mayDecide || typeof id !== 'string') return;
    const { sound, notification } = readAlerts();
    if (sound && claimSound(id)) playAlert();
    if (!notification || Notification.permission !== 'granted') return;
    // The tag keeps several tabs from showing several.
    const shown = new Notification('A call waits for your approval', { body: name, tag: id });
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
