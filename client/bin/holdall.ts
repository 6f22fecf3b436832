#!/usr/bin/env node
/** The `holdall` command of the package: upload, paste, shorten, login. */
import { readFile } from 'node:fs/promises';
import { runCommand } from './command.js';
import { clientCommands } from './commands.js';
import { explainClientError } from './explain.js';

const version = async (): Promise<string> =>
  JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version;

process.exitCode = await runCommand(clientCommands, process.argv.slice(2), explainClientError, version);
