import { sql } from 'kysely';
import type { OrganizationScope } from '../postgres/database.js';

/** The calls that the sub-agents of these calls have made, at any depth. */
export async function callsInside(
  { organizationId, trx }: OrganizationScope,
  ids: readonly string[],
): Promise<string[]> {
  const inside = await sql<{ id: string }>`with recursive inside as (
      select id from tool_calls
        where organization_id = ${organizationId} and parent_id = any(${ids})
      union all
      select c.id from tool_calls c join inside on c.parent_id = inside.id
        where c.organization_id = ${organizationId})
    select id from inside`.execute(trx);
  return inside.rows.map(({ id }) => id);
}
