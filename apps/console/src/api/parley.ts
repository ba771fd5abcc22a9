import { Parley } from '@parley/client/server';
import { useParams } from '@tanstack/react-router';
import { mayAct, type Organization, type Role } from './account.js';
import { noteDate } from './service-clock.js';
import { csrfToken, noteExpired, useMe } from './signed-in.js';

/** Stands in for an API key: the browser authenticates with its cookie. */
const noKey = 'no-key-but-a-cookie';

const clients = new Map<string, Parley>();

/** The REST API as the signed-in user, for one organization. */
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
  noteDate(response);
  if (response.status === 401) noteExpired(true);
  return response;
};

/** The organization in the page's address. */
export function useOrganization(): Organization {
  const { organizationId } = useParams({ strict: false });
  const organization = useMe().organizations.find(({ id }) => id === organizationId);
  if (!organization) throw new TypeError('The page does not belong to an organization.');
  return organization;
}

export function useParley(): Parley {
  return parleyOf(useOrganization().id);
}

/** Whether to show an action. The API enforces roles, whatever a page shows. */
export function useMay(needed: Role): boolean {
  return mayAct(useOrganization().role, needed);
}
