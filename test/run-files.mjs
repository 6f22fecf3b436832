/**
 * `node run-files.mjs paths…`: runs compiled test files one after the other in this process, each under its
 * name, with one count at the end; prints a line for each file without tests.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// Makes suites wait for `exec` instead of starting by themselves.
globalThis.UVU_DEFER = 1;
const { exec } = await import('uvu');

const paths = process.argv.slice(2);
for (const [index, path] of paths.entries()) {
  globalThis.UVU_QUEUE[index] = [path];
  globalThis.UVU_INDEX = index;
  await import(pathToFileURL(resolve(path)).href);
}
const empty = paths.filter((_, index) => globalThis.UVU_QUEUE[index].length === 1);
await exec();
for (const path of empty) console.log(`# empty: ${path}`);
