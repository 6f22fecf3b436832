/**
 * Migrates the database at the location given as JSON in a separate process, and kills this process just
 * before the statement with the given number. Prints `done` if there were fewer statements than that.
 */
import { openDb } from '../../../db/engine/connect.js';
import { migrate } from '../../../db/engine/migrate.js';

const [location = '', deadline = ''] = process.argv.slice(2);
const db = await openDb(JSON.parse(location));
let statements = 0;
db.admin.on('query', () => {
  statements += 1;
  if (statements === Number(deadline)) process.kill(process.pid, 'SIGKILL');
});
await migrate(db);
await db.close();
process.stdout.write('done');
