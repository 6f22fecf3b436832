/**
 * Fills the index of searches of the database at the location given as JSON in a separate process, and kills this
 * process before the step with the given number. Prints `done` if there were fewer steps than that.
 */
import { openDb } from '../../../db/engine/connect.js';
import { fillIndex } from '../../../db/search/fill.js';

const [location = '', deadline = ''] = process.argv.slice(2);
const db = await openDb(JSON.parse(location));
let steps = 0;
await fillIndex(db, () => {
  steps += 1;
  if (steps === Number(deadline)) process.kill(process.pid, 'SIGKILL');
});
await db.close();
process.stdout.write('done');
