import { takeUpAgain, useExpired } from '../api/signed-in.js';
import { Dialog, DialogBody } from '../parts/dialog.js';
import { SignInForm } from './sign-in.js';

/** Above the page, which stays as it is: what was typed there is saved once somebody is signed in again. */
export function SignedOutDialog() {
  const expired = useExpired();
  if (!expired) return null;
  return (
    <Dialog
      title="You are signed out"
      description="Sign in again to go on. What you typed on the page below is kept."
      keepOpen
      onClose={() => undefined}
    >
      <DialogBody>
        <SignInForm onDone={() => void takeUpAgain()} />
      </DialogBody>
    </Dialog>
  );
}
