import { useEffect } from 'react';
import { readMe } from '../api/account.js';
import { takeUpAgain, useExpired } from '../api/signed-in.js';
import { Dialog, DialogBody } from '../parts/dialog.js';
import { tellFailure } from '../parts/toasts.js';
import { SignInForm } from './sign-in.js';

/** Shown above the page, which keeps unsaved input until the user has signed in again. */
export function SignedOutDialog() {
  const expired = useExpired();
  useSignedInElsewhere(expired);
  if (!expired) return null;
  return (
    <Dialog
      title="You are signed out"
      description="Sign in again to continue, here or in another tab. What you typed on the page below is kept."
      keepOpen
      onClose={() => undefined}
    >
      <DialogBody>
        <SignInForm pageStays onDone={goOn} />
      </DialogBody>
    </Dialog>
  );
}

function goOn(): void {
  takeUpAgain().catch(tellFailure);
}

/** Tabs share the cookie, so the user may have signed in in another tab. */
function useSignedInElsewhere(expired: boolean): void {
  useEffect(() => {
    if (!expired) return;
    const look = () => {
      readMe().then((me) => {
        if (me) goOn();
      }, tellFailure);
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [expired]);
}
