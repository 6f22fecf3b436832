/**
 * `npm start`: prepares the checkout, then becomes the server. The server runs in this same process, so that its
 * signals and exit code are those of `npm start`. With `--prepare` it stops before serving.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CannotPrepare, prepare } from './operations/build/prepare/index.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'dist', 'server', 'runtime', 'main.js');

prepare(root, { dev: false })
  .then(() => {
    if (process.argv[2] === '--prepare') return undefined;
    // Worker processes are forked from this path and do not have to check the checkout again.
    process.argv[1] = main;
    return import(pathToFileURL(main).href);
  })
  .catch((error) => {
    process.stderr.write(`${error instanceof CannotPrepare ? error.message : error.stack}\n`);
    process.exit(1);
  });
