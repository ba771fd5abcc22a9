/** Row-level security for tables added after 0001-foundation, which explains it. */
export function isolateOrganizations(tables: readonly string[]): string {
  return tables
    .map(
      (table) => `
    grant select, insert, update, delete on ${table} to parley_app, parley_system;
    alter table ${table} enable row level security;
    create policy ${table}_of_organization on ${table} to parley_app
      using (organization_id = (select nullif(current_setting('parley.organization_id', true), '')::uuid));
    create policy ${table}_of_all on ${table} to parley_system using (true);`,
    )
    .join('\n');
}
