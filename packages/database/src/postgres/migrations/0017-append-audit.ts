import { sql, type Kysely } from 'kysely';

/**
 * Appends to an organization's audit log in one statement, with the caller's rights. The hashed
 * content is assembled here, as in `chainHash`: the record's sequence and time are known only once
 * nobody else can append. `before` and `after` arrive as canonical JSON.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function append_audit(
      organization uuid, who text, what text, type text, id uuid, old text, new text
    ) returns void language plpgsql as $$
    declare
      head audit_heads;
      moment timestamptz;
      chained bytea;
    begin
      select * into head from audit_heads where organization_id = organization for update;
      if not found then
        insert into audit_heads (organization_id, sequence, hash)
          values (organization, 0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
        select * into head from audit_heads where organization_id = organization for update;
      end if;
      moment := date_trunc('milliseconds', clock_timestamp());
      chained := sha256(head.hash || convert_to(concat(
        '{"action":', to_json(what),
        ',"actor":', who,
        ',"after":', coalesce(new, 'null'),
        ',"before":', coalesce(old, 'null'),
        ',"occurredAt":"', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        '","organizationId":"', organization,
        '","resourceId":', coalesce(to_json(id)::text, 'null'),
        ',"resourceType":', to_json(type),
        ',"sequence":', head.sequence + 1,
        '}'), 'UTF8'));
      insert into audit_log (organization_id, sequence, occurred_at, actor, action, resource_type,
          resource_id, before, after, previous_hash, hash)
        values (organization, head.sequence + 1, moment, who::jsonb, what, type,
          id, old::jsonb, new::jsonb, head.hash, chained);
      update audit_heads set sequence = head.sequence + 1, hash = chained
        where organization_id = organization;
    end $$`.execute(db);
}
