import { ToldFailure, type Telling } from '../api/failure.js';

const unfinished: Telling = {
  title: 'You were not signed in',
  advice:
    'Single sign-on was left before its end, or took too long. Try again, or sign in another way.',
};

/** By what the api writes into the address when single sign-on leads back without success. */
const failures: ReadonlyMap<string, Telling> = new Map([
  ['unfinished', unfinished],
  [
    'unverified',
    {
      title: 'Your e-mail address is not verified',
      advice: 'Verify it where you signed in, then try again.',
    },
  ],
  [
    'domain',
    {
      title: 'Addresses of your domain may not sign in here',
      advice:
        'Use the account of your organization, or ask whoever runs this service to allow your domain.',
    },
  ],
  [
    'stranger',
    {
      title: 'You are not a member of any organization here',
      advice: 'Ask an owner to add the e-mail address that you signed in with.',
    },
  ],
  [
    'throttled',
    {
      title: 'Too many attempts from your network have failed',
      advice: 'Wait a minute, then try again.',
    },
  ],
  [
    'unavailable',
    {
      title: 'Single sign-on did not answer',
      advice: 'Try again in a moment, or sign in another way.',
    },
  ],
]);

/** What became of single sign-on, if it led back to this address without success. */
export function singleSignOnFailure(hash: string): ToldFailure | undefined {
  const [, reason] = /^#sign-in-failed=(.*)$/.exec(hash) ?? [];
  if (reason === undefined) return undefined;
  return new ToldFailure(failures.get(reason) ?? unfinished);
}
