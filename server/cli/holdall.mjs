#!/usr/bin/env node
/** The `holdall` command of a checkout: makes it ready where it is not, then does what the words say. */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CannotPrepare, prepare } from '../prepare.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

try {
  await prepare(root, { dev: false });
  const { main } = await import(pathToFileURL(join(root, 'dist', 'server', 'cli', 'main.js')).href);
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CannotPrepare)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
