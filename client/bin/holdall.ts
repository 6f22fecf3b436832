#!/usr/bin/env node
/** The `holdall` command of the package: upload, paste, shorten, login. */
import { runCommand } from './command.js';
import { clientCommands } from './commands.js';
import { explainClientError } from './explain.js';

process.exitCode = await runCommand(clientCommands, process.argv.slice(2), explainClientError);
