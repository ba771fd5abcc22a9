import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { playAlert, setAlerts, useAlerts } from '../../api/alerts.js';
import { Button } from '../../parts/button.js';
import { Dialog, DialogActions, DialogBody } from '../../parts/dialog.js';
import { SwitchField } from '../../parts/fields.js';

/** Both are off by default, and apply to this browser. */
export function AlertSettings() {
  const [open, setOpen] = useState(false);
  const { sound, notification } = useAlerts();
  const on = sound || notification;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        {on ? <Bell size={16} /> : <BellOff size={16} />}
        {on ? 'Alerts are on' : 'Alerts are off'}
      </Button>
      {open && <AlertDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AlertDialog({ onClose }: { readonly onClose: () => void }) {
  const { sound, notification } = useAlerts();
  const [refused, setRefused] = useState(false);
  const notify = async (wanted: boolean) => {
    const allowed = wanted && (await Notification.requestPermission()) === 'granted';
    setRefused(wanted && !allowed);
    setAlerts({ notification: allowed });
  };
  return (
    <Dialog
      title="Alerts"
      description="When a new call needs approval while the console is open on any page. For this browser only."
      onClose={onClose}
    >
      <DialogBody>
        <SwitchField
          label="Play a sound"
          value={sound}
          onChange={(wanted) => {
            setAlerts({ sound: wanted });
            if (wanted) playAlert();
          }}
        />
        <SwitchField
          label="Show a browser notification"
          help={
            'Notification' in window
              ? refused
                ? 'Your browser does not allow it. Change that in its settings for this site.'
                : 'It shows the organization, never the arguments.'
              : 'This browser does not support notifications.'
          }
          value={notification}
          disabled={!('Notification' in window)}
          onChange={(wanted) => void notify(wanted)}
        />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
