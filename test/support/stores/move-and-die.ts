/** Moves the database of a folder in a separate process, and kills this process at its nth step of progress. */
import { moveDatabase } from '../../../server/operations/move/move.js';
import { readConfig } from '../../../server/runtime/config/config.js';

const [to = '', deadline = '', ahead = ''] = process.argv.slice(2);
let steps = 0;

await moveDatabase(readConfig(), {
  to,
  ahead: ahead === 'ahead',
  progress: () => {
    steps += 1;
    if (steps === Number(deadline)) process.kill(process.pid, 'SIGKILL');
  },
});
