/**
 * `node run-files.mjs`: runs compiled test files one after the other in this process. Their paths come as lines on file
 * descriptor 3, and the process ends when that is closed. After each file it prints `# ran: path, cpu ms`; a file without
 * tests prints `# empty: path` before.
 */
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

// Makes suites wait for `exec` instead of starting by themselves.
globalThis.UVU_DEFER = 1;
const { exec } = await import('uvu');

let exitCode = 0;
for await (const path of createInterface({ input: new Socket({ fd: 3 }) })) {
  const before = process.cpuUsage();
  globalThis.UVU_QUEUE.splice(0, Infinity, [path]);
  await import(pathToFileURL(resolve(path)).href);
  if (globalThis.UVU_QUEUE[0].length === 1) console.log(`# empty: ${path}`);
  await exec();
  exitCode ||= process.exitCode ?? 0;
  const { user, system } = process.cpuUsage(before);
  console.log(`# ran: ${path}, ${Math.round((user + system) / 1000)} ms`);
}
process.exitCode = exitCode;
