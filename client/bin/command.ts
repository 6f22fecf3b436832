/** A subcommand of `holdall`. */
export interface Command {
  /** Its arguments, as the help shows them. */
  readonly usage: string;
  readonly summary: string;
  /** Options by the field names that a server's error may start with: `{ maxUses: '--uses' }`. */
  readonly words?: Readonly<Record<string, string>>;
  /** Runs the command; throws if it fails. */
  run(args: string[]): Promise<void>;
}

/** The arguments are wrong; the message says how. */
export class UsageError extends Error {}

/** The user interrupted the command; `code` is its exit code. */
export class Interrupted extends Error {
  constructor(readonly code: number) {
    super('interrupted');
  }
}

/** Subcommands by name. */
export type Commands = Readonly<Record<string, Command>>;

/** The command cannot run; the message says why and what to do. */
export class CommandError extends Error {}

/** What each command does, in a line. */
function overviewOf(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((word) => word.length));
  const lines = Object.entries(commands).map(
    ([word, { summary }]) => `  holdall ${word.padEnd(width)}  ${summary}\n`,
  );
  return `${lines.join('')}\nRun \`holdall COMMAND --help\` for details.\n`;
}

const helpOf = (word: string, { usage, summary }: Command): string =>
  `${summary}\n\n  holdall ${`${word} ${usage}`.trim()}\n${usage.includes('DATE') ? DATES : ''}`;

const DATES =
  '\n  DATE is a day like 2030-01-31 (that day included) or a time like 2030-01-31T18:00, both in UTC,\n' +
  '  or a time with its zone like 2030-01-31T18:00+02:00, or from now on: 30m, 12h, 7d, 4w\n';

/**
 * Runs the command that the arguments name and returns the exit code: 0 done, 1 failed, 2 usage error, or the code of a
 * signal. `explain` turns an error into a text for the user, or null for a bug in the program. `version` reads the
 * version of the package.
 */
export async function runCommand(
  commands: Commands,
  [word = 'help', ...args]: readonly string[],
  explain: (error: unknown) => string | null,
  version: () => Promise<string>,
): Promise<number> {
  process.stdout.on('error', endWithoutReader);
  if (word === '--version') {
    process.stdout.write(`${await version()}\n`);
    return 0;
  }
  if (['help', '--help', '-h'].includes(word)) {
    process.stdout.write(overviewOf(commands));
    return 0;
  }
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (command === undefined) {
    process.stderr.write(
      `holdall: unknown command "${word}"; there are ${Object.keys(commands).join(', ')}\n`,
    );
    return 2;
  }
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(helpOf(word, command));
    return 0;
  }
  try {
    await command.run(args);
    return 0;
  } catch (error) {
    if (error instanceof Interrupted) return error.code;
    if (isUsage(error)) {
      process.stderr.write(`holdall: ${(error as Error).message}\n\n${helpOf(word, command)}`);
      return 2;
    }
    const known = error instanceof CommandError ? error.message : inWordsOf(command, explain(error));
    process.stderr.write(`holdall: ${known ?? (error instanceof Error ? error.stack : error)}\n`);
    return 1;
  }
}

/** The exit code that shells report for a command that writes to a closed pipe. */
const BROKEN_PIPE = 141;

/**
 * The reader has closed the pipe, as `head` does, or the output cannot be written, for example because the disk is
 * full.
 */
function endWithoutReader(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
  process.stderr.write(`holdall: cannot write the output: ${error.message}\n`);
  process.exit(1);
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS');

/** Names the option in an error like `maxUses: …`, because a command may call that field `--uses`. */
export function inWordsOf({ words = {} }: Pick<Command, 'words'>, message: string | null): string | null {
  const [, field = '', rest = ''] = /^(\w+)(: .*)$/s.exec(message ?? '') ?? [];
  return Object.hasOwn(words, field) ? `${words[field]}${rest}` : message;
}

/** The only argument of a command; throws `UsageError` if it is missing or there are more. */
export function onlyArgument(positionals: readonly string[], name: string): string {
  const [first, ...rest] = positionals;
  if (first === undefined) throw new UsageError(`${name} is missing`);
  if (rest.length > 0) throw new UsageError(`only one ${name} is allowed`);
  return first;
}

/** The whole number given to an option; undefined if the option was left out. */
export function numberOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number`);
  return Number(value);
}

/** The values given to an option, separated by commas; undefined if the option was left out. */
export const listOption = (value: string | undefined): string[] | undefined =>
  value
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The object without what is undefined. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
