import { insertMember, issueSignInLink, obtainUser } from '@parley/database';
import type { Me, Role } from '@parley/protocol';
import type { ApiUnderTest } from './api-under-test.js';
import { contractClient, type ContractClient, type Reply } from './contract-client.js';

export type Person = { memberId: string; userId: string; email: string };

/** Somebody in a browser: the cookie that they hold, and a client that sends what a page of the console does. */
export type Browser = Person & { cookie: string; csrfToken: string; client: ContractClient };

let people = 0;

export async function newMember(
  api: ApiUnderTest,
  organizationId: string,
  {
    role = 'owner',
    email = `person-${(people += 1)}@example.com`,
  }: { role?: Role; email?: string } = {},
): Promise<Person> {
  return api.database.asSystem(async ({ trx }) => {
    const userId = await obtainUser({ trx }, { email, name: 'Ada' });
    const memberId = await insertMember({ organizationId, trx }, { userId, role });
    return { memberId: memberId ?? '', userId, email };
  });
}

export async function newLink(
  api: ApiUnderTest,
  organizationId: string,
  memberId: string,
): Promise<string> {
  const { token } = await api.database.inOrganization(organizationId, (organization) =>
    issueSignInLink(organization, memberId),
  );
  return token;
}

export function postSignIn(
  api: ApiUnderTest,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return contractClient(api.url).post('/api/v1/SignIn', body, {
    headers: { Origin: api.url, ...headers },
  });
}

export const cookieIn = ({ headers }: Reply): string =>
  /parley_console=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '';

/** A new member of the organization, signed in with a link. */
export async function newBrowser(
  api: ApiUnderTest,
  organizationId: string,
  person?: Parameters<typeof newMember>[2],
): Promise<Browser> {
  const made = await newMember(api, organizationId, person);
  const token = await newLink(api, organizationId, made.memberId);
  return browserOf(api, organizationId, { made, reply: await postSignIn(api, { token }) });
}

export function browserOf(
  api: ApiUnderTest,
  organizationId: string,
  { made, reply }: { made: Person; reply: Reply },
): Browser {
  const cookie = cookieIn(reply);
  const { csrfToken } = reply.body as Me;
  const client = contractClient(api.url, {
    Cookie: `parley_console=${cookie}`,
    Origin: api.url,
    'X-Org-Id': organizationId,
    'X-Parley-Csrf': csrfToken,
  });
  return { ...made, cookie, csrfToken, client };
}
