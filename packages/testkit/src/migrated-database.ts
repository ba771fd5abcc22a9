import { connectDatabase, migrate, type Database } from '@parley/database';
import { testDatabase } from './test-database.js';

export type MigratedDatabase = { url: string; database: Database; drop(): Promise<void> };

/** A fresh database with the current schema, and a connection to it. */
export async function migratedDatabase(): Promise<MigratedDatabase> {
  const empty = await testDatabase();
  const { url } = empty;
  await migrate(url);
  const database = connectDatabase({ url, applicationName: 'parley-test' });
  return {
    url,
    database,
    async drop() {
      await database.close();
      await empty.drop();
    },
  };
}
