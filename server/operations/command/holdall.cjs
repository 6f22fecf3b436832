#!/usr/bin/env node
/**
 * The `holdall` command of a checkout or a package: prepares it if needed, then runs the command. CommonJS, for the
 * reason given in start.cjs.
 */
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

process.env.UV_THREADPOOL_SIZE ??= '16';
const root = dirname(dirname(dirname(__dirname)));

async function main() {
  const { CannotPrepare, prepare } = await import('../build/prepare/index.mjs');
  try {
    await prepare(root, { dev: false });
  } catch (error) {
    if (!(error instanceof CannotPrepare)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return;
  }
  const command = await import(
    pathToFileURL(join(root, 'dist', 'server', 'operations', 'command', 'main.js')).href
  );
  const words = process.argv.slice(2);
  // `npx holdall` is how somebody tries it.
  const isTried = words.length === 0 && process.env.npm_command === 'exec';
  await command.main(isTried ? ['serve'] : words);
}

main();
