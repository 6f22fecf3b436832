/**
 * Runs statements that fail because of their values on the migrated database at the location given as JSON,
 * and logs each failure like a server. Prints on standard error what Node would print if the process died of
 * it.
 */
import { inspect } from 'node:util';
import { openDb } from '../../../db/engine/connect.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { failing } from './failing-statements.js';

const [location = ''] = process.argv.slice(2);
const db = await openDb(JSON.parse(location));
const logs = createLogs('info');
for (const statement of failing(db)) {
  try {
    await statement(db.read);
  } catch (error) {
    logs.log.error({ err: error }, 'failed');
    process.stderr.write(inspect(error));
  }
}
await db.close();
logs.flush();
