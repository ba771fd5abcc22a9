import { Me, SignInInput, SignInWays } from '../schemas/account.js';
import type { Operation } from './operation.js';

/** How people come in and go. These work in no organization. */
export const consoleOperations = {
  getSignIn: {
    method: 'get',
    path: '/SignIn',
    tag: 'Account',
    summary: 'Read which ways in there are, beside sign-in links',
    description: 'With `oidc`, a browser is sent to `/console/oidc/start`.',
    access: 'anybody',
    success: { status: 200, schema: SignInWays },
    problems: [],
  },
  signIn: {
    method: 'post',
    path: '/SignIn',
    tag: 'Account',
    summary: 'Sign in with a one-time link, or with e-mail address and password',
    description:
      'Sets the cookie `parley_console`, new each time. Send `token` alone, or `email` and `password`, from a page of this deployment.',
    access: 'anybody',
    body: SignInInput,
    success: {
      status: 200,
      schema: Me,
      headers: { 'Set-Cookie': 'The session of the console.' },
    },
    problems: ['sign-in-refused', 'sign-in-link-unusable', 'origin-foreign'],
  },
  signOut: {
    method: 'post',
    path: '/SignOut',
    tag: 'Account',
    summary: 'End the session of the console',
    description: 'The cookie is worth nothing from then on, and is removed.',
    access: 'session',
    success: { status: 204, headers: { 'Set-Cookie': 'Removes the cookie.' } },
    problems: [],
  },
  getMe: {
    method: 'get',
    path: '/Me',
    tag: 'Account',
    summary: 'Read who is signed in, and where they may work',
    description: 'The first request of a page of the console: it needs the `csrfToken`.',
    access: 'session',
    success: { status: 200, schema: Me },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
