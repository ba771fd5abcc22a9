/** The schema is older than this version. */
export class SchemaBehind extends Error {
  constructor(missing: readonly string[]) {
    super(
      `its schema lacks ${missing.join(', ')}: ` +
        'run admin migrate, or start an api of this version with MIGRATE_ON_START',
    );
  }
}

/** PostgreSQL's codes for a column, a table or a function that is missing. */
const missing = ['42703', '42P01', '42883'];

/** Whether an error may be gone once the schema is migrated. */
export function isSchemaBehind(error: unknown): boolean {
  if (error instanceof SchemaBehind) return true;
  return missing.includes((error as { code?: string }).code ?? '');
}
