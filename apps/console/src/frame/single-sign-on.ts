import { ToldFailure, type Telling } from '../api/failure.js';

const unfinished: Telling = {
  title: 'You were not signed in',
  advice: 'Single sign-on was cancelled or took too long. Try again, or sign in another way.',
};

/** By the code that the api puts into the address when single sign-on fails. */
const failures: ReadonlyMap<string, Telling> = new Map([
  ['unfinished', unfinished],
  [
    'unverified',
    {
      title: 'Your email address is not verified',
      advice: 'Verify it with your identity provider, then try again.',
    },
  ],
  [
    'domain',
    {
      title: 'Your email domain is not allowed here',
      advice: 'Use your organization’s account, or ask your administrator to allow your domain.',
    },
  ],
  [
    'stranger',
    {
      title: 'You are not a member of any organization here',
      advice: 'Ask an owner to add the email address that you signed in with.',
    },
  ],
  [
    'throttled',
    {
      title: 'Too many failed attempts from your network',
      advice: 'Wait a minute, then try again.',
    },
  ],
  [
    'unavailable',
    {
      title: 'The identity provider did not respond',
      advice: 'Try again in a moment, or sign in another way.',
    },
  ],
]);

/** The failure of single sign-on, if the address contains one. */
export function singleSignOnFailure(hash: string): ToldFailure | undefined {
  const [, reason] = /^#sign-in-failed=(.*)$/.exec(hash) ?? [];
  if (reason === undefined) return undefined;
  return new ToldFailure(failures.get(reason) ?? unfinished);
}
