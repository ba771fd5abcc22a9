import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readWaysIn, signIn } from '../api/account.js';
import { Button, buttonClass } from '../parts/button.js';
import { FailureNote } from '../parts/failure-note.js';
import { TextField } from '../parts/fields.js';
import styles from './sign-in.module.css';

/** Shown in place of the requested page, which appears after signing in; no redirect is needed. */
export function SignInPage({
  error,
  onDone,
}: {
  readonly error: unknown;
  readonly onDone: () => void;
}) {
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div>
          <h1>Sign in to Parley</h1>
          <p className={styles.lead}>
            Talk to your agents, decide approvals and read conversations.
          </p>
        </div>
        <FailureNote error={error} />
        <SignInForm onDone={onDone} />
      </div>
    </main>
  );
}

/**
 * The sign-in methods of this deployment. In a dialog above a page, single sign-on opens its own
 * tab.
 */
export function SignInForm({
  onDone,
  pageStays = false,
}: {
  readonly onDone: () => void;
  readonly pageStays?: boolean;
}) {
  const { data: ways } = useQuery({ queryKey: ['ways-in'], queryFn: readWaysIn });
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: () => signIn({ email: email.trim(), password }),
    onSuccess: onDone,
  });
  return (
    <>
      {ways?.oidc === true && (
        <a
          className={buttonClass('secondary')}
          href={oidcStart()}
          target={pageStays ? '_blank' : undefined}
        >
          Continue with single sign-on
        </a>
      )}
      {ways?.password !== false && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            enter.mutate();
          }}
        >
          <TextField
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
          <FailureNote error={enter.error} />
          <Button
            type="submit"
            look="primary"
            busy={enter.isPending}
            disabled={email.trim() === '' || password === ''}
          >
            Sign in
          </Button>
        </form>
      )}
      <p className={styles.help}>
        No password? A one-time link signs you in: <code>npm start</code> prints one, an owner can
        create one under Members, and <code>npm run admin -- user sign-in-link</code> creates one
        for any deployment.
      </p>
    </>
  );
}

function oidcStart(): string {
  return `/console/oidc/start?returnTo=${encodeURIComponent(location.pathname + location.search)}`;
}
