/** `npm run db:schema`: writes the schemas after all migrations; that of PostgreSQL if TEST_DATABASE_URL is set. */
import { writeFile } from 'node:fs/promises';
import { migrate } from '../../../db/engine/migrate.js';
import { databaseKinds } from './databases.js';
import { describeSchema, describeSubset, SUBSET_FILE, schemaFile } from './schema.js';

for (const { make } of databaseKinds()) {
  const database = await make();
  try {
    const db = await database.open();
    await migrate(db);
    await writeFile(schemaFile(db.dialect.name), await describeSchema(db));
    if (db.dialect.name === 'postgres') await writeFile(SUBSET_FILE, await describeSubset(db));
  } finally {
    await database.remove();
  }
}
