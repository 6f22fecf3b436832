import { migrate } from '../../db/migrate.js';
import { createDatabaseStore, createMemoryStore } from '../../server/limit-store.js';
import { testLimitStore } from '../suites/limits.js';
import { databaseKinds } from '../support/databases.js';

testLimitStore('memory', async () => ({ stores: [createMemoryStore()], close: async () => {} }));

for (const { name, make } of databaseKinds()) {
  testLimitStore(name, async () => {
    const database = await make();
    const [one, other] = await Promise.all([database.open(), database.open()]);
    await migrate(one);
    return { stores: [one, other].map(createDatabaseStore), close: database.remove };
  });
}
