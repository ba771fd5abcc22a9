import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { signIn } from '../api/account.js';
import { meQuery, queryClient } from '../api/signed-in.js';
import { FailureState } from '../parts/failure-note.js';
import { Toasts } from '../parts/toasts.js';
import { SignedOutDialog } from './signed-out-dialog.js';
import { SignInPage } from './sign-in.js';
import { singleSignOnFailure } from './single-sign-on.js';

const linkHash = /^#sign-in=(.+)$/;

/** Shows the pages to signed-in users, and the sign-in page to others. */
export function Gate() {
  const link = useSignInLink();
  const { data: me, error, refetch } = useQuery({ ...meQuery, enabled: link.state !== 'pending' });
  if (error) return <FailureState error={error} onRetry={() => void refetch()} />;
  if (me === undefined || link.state === 'pending') return null;
  if (me === null)
    return (
      <SignInPage
        error={link.error}
        onDone={() => void queryClient.invalidateQueries({ queryKey: meQuery.queryKey })}
      />
    );
  return (
    <>
      <Outlet />
      <SignedOutDialog />
      <Toasts />
    </>
  );
}

/**
 * The sign-in token is used once and removed from the address immediately, so that neither copies
 * nor the history contain it.
 */
function useSignInLink(): { state: 'none' | 'pending' | 'done'; error: unknown } {
  const [token] = useState(() => linkHash.exec(location.hash)?.[1]);
  const [state, setState] = useState<'none' | 'pending' | 'done'>(
    token === undefined ? 'none' : 'pending',
  );
  const [error, setError] = useState<unknown>(() => singleSignOnFailure(location.hash));
  useEffect(() => {
    if (location.hash.startsWith('#sign-in'))
      history.replaceState(history.state, '', location.pathname + location.search);
    if (token === undefined) return;
    spend(token).then(
      () => setState('done'),
      (refused: unknown) => {
        setError(refused);
        setState('done');
      },
    );
  }, [token]);
  return { state, error };
}

const used = new Map<string, Promise<void>>();

/** React may run an effect twice, but a link works only once. */
function spend(token: string): Promise<void> {
  const known = used.get(token) ?? signIn({ token });
  used.set(token, known);
  return known;
}
