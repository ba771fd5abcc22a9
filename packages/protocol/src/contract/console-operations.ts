import { Me, SignInInput, SignInWays } from '../schemas/account.js';
import type { Operation } from './operation.js';

/** Signing in and out. These operations belong to no organization. */
export const consoleOperations = {
  getSignIn: {
    method: 'get',
    path: '/SignIn',
    tag: 'Account',
    summary: 'Read which sign-in methods are available besides sign-in links',
    description: 'With `oidc`, redirect the browser to `/console/oidc/start`.',
    access: 'anybody',
    success: { status: 200, schema: SignInWays },
    problems: [],
  },
  signIn: {
    method: 'post',
    path: '/SignIn',
    tag: 'Account',
    summary: 'Sign in with a one-time link, or with an email address and password',
    description:
      'Sets the cookie `parley_console`, with a new value each time. Send only `token`, or `email` and `password`, from a page of this deployment.',
    access: 'anybody',
    body: SignInInput,
    success: {
      status: 200,
      schema: Me,
      headers: { 'Set-Cookie': 'The console session.' },
    },
    problems: ['sign-in-refused', 'sign-in-link-unusable', 'origin-foreign'],
  },
  signOut: {
    method: 'post',
    path: '/SignOut',
    tag: 'Account',
    summary: 'End the console session',
    description: 'Invalidates the cookie and removes it.',
    access: 'session',
    success: { status: 204, headers: { 'Set-Cookie': 'Removes the cookie.' } },
    problems: [],
  },
  getMe: {
    method: 'get',
    path: '/Me',
    tag: 'Account',
    summary: 'Read who is signed in, and their organizations',
    description: 'The first request of a console page, which needs the `csrfToken`.',
    access: 'session',
    success: { status: 200, schema: Me },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
