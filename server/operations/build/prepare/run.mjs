import { spawn } from 'node:child_process';

/** The checkout cannot be prepared; the message says what to do about it. */
export class CannotPrepare extends Error {}

/** Prints a line of progress to standard error, because standard output is for the log. */
export function say(line) {
  process.stderr.write(`holdall: ${line}\n`);
}

/** The relevant lines: npm prints the error first, followed by pages of help. */
function telling(output) {
  const lines = output.trimEnd().split('\n');
  const errors = lines.filter((line) => /^npm (error|ERR!) \S/.test(line));
  return (errors.length > 0 ? errors.slice(0, 15) : lines.slice(-30)).join('\n');
}

/**
 * Runs a program without showing its output. If it fails, throws `CannotPrepare` with the relevant output and the
 * advice.
 */
export function run(root, command, args, what, advice, env = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      shell: command === 'npm' && process.platform === 'win32',
    });
    const beat = setInterval(
      () => say(`still ${what} (${Math.round((performance.now() - started) / 1000)} s)`),
      20_000,
    );
    const stop = (signal) => child.kill(signal);
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
    for (const name of signals) process.once(name, stop);
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-65_536);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const end = (failure) => {
      clearInterval(beat);
      for (const name of signals) process.off(name, stop);
      if (failure === null) resolve();
      else reject(new CannotPrepare(failure));
    };
    child.on('error', (error) =>
      end(
        `${command} cannot be run (${error.message}): install Node with npm from https://nodejs.org and start again.`,
      ),
    );
    child.on('close', (code, signal) => {
      if (code === 0) return end(null);
      if (signal !== null) return end(`Stopped by ${signal} while ${what}.`);
      end(`${telling(output)}\n\n${advice(output)}`);
    });
  });
}
