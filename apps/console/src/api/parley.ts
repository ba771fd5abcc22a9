import { Parley } from '@parley/client/server';
import { useParams } from '@tanstack/react-router';
import { mayAct, type Organization, type Role } from './account.js';
import { csrfToken, noteExpired, useMe } from './signed-in.js';

/** Takes the place of a key, which a browser has none of: the cookie says who asks. */
const noKey = 'no-key-but-a-cookie';

const clients = new Map<string, Parley>();

/** The REST API as the person who is signed in, in one organization. */
export function parleyOf(organizationId: string): Parley {
  const known = clients.get(organizationId);
  if (known) return known;
  const made = new Parley({
    baseUrl: location.origin,
    apiKey: noKey,
    organizationId,
    dangerouslyAllowBrowser: true,
    fetch: fetchWithCookie,
  });
  clients.set(organizationId, made);
  return made;
}

const fetchWithCookie: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('x-api-key');
  if (init?.method !== 'GET') headers.set('x-parley-csrf', csrfToken());
  const response = await fetch(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) noteExpired(true);
  return response;
};

/** The organization that the address of the page names. */
export function useOrganization(): Organization {
  const { organizationId } = useParams({ strict: false });
  const organization = useMe().organizations.find(({ id }) => id === organizationId);
  if (!organization) throw new TypeError('The page is outside of an organization.');
  return organization;
}

export function useParley(): Parley {
  return parleyOf(useOrganization().id);
}

/** Whether to offer something. The API decides: it refuses what a role may not do, whatever a page shows. */
export function useMay(needed: Role): boolean {
  return mayAct(useOrganization().role, needed);
}
