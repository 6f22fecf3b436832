/** One word of the `holdall` command. */
export interface Command {
  /** What follows the word. */
  readonly usage: string;
  readonly summary: string;
  /** What fields that a server may complain about are called here: `{ maxUses: '--uses' }`. */
  readonly words?: Readonly<Record<string, string>>;
  /** Does it; throws what went wrong. */
  run(args: string[]): Promise<void>;
}

/** Somebody typed what the command does not understand; the message says what. */
export class UsageError extends Error {}

/** Somebody ended the command; `code` is what it ends with. */
export class Interrupted extends Error {
  constructor(readonly code: number) {
    super('interrupted');
  }
}

/** Words by name. */
export type Commands = Readonly<Record<string, Command>>;

/** The command cannot be done; the message says why, and what to do. */
export class CommandError extends Error {}

/** What each command does, in a line. */
function overviewOf(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((word) => word.length));
  const lines = Object.entries(commands).map(
    ([word, { summary }]) => `  holdall ${word.padEnd(width)}  ${summary}\n`,
  );
  return `${lines.join('')}\n\`holdall COMMAND --help\` tells how.\n`;
}

const helpOf = (word: string, { usage, summary }: Command): string =>
  `${summary}\n\n  holdall ${`${word} ${usage}`.trim()}\n${usage.includes('DATE') ? DATES : ''}`;

const DATES =
  '\n  DATE is like 2030-01-31, the whole day included, or like 2030-01-31T18:00, each in UTC,\n' +
  '  or 2030-01-31T18:00+02:00\n';

/**
 * Runs the command that the arguments name; returns the exit code: 0 done, 1 failed, 2 not understood, that of a signal.
 * `explain` turns an error into what a person may read; null for one that is a fault of the program. `version` is that of
 * the package.
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
    process.stderr.write(`holdall: there is no command "${word}"\n\n${overviewOf(commands)}`);
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

/** What shells say of a command that writes to a pipe nobody reads any more. */
const BROKEN_PIPE = 141;

/** Whoever reads what is printed has seen enough, as `head` has, or there is no room for it. */
function endWithoutReader(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
  process.stderr.write(`holdall: cannot write the output: ${error.message}\n`);
  process.exit(1);
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  String((error as { code?: unknown } | null)?.code).startsWith('ERR_PARSE_ARGS');

/** A refusal of `maxUses: …` in the words of the command, which may call it `--uses`. */
export function inWordsOf({ words = {} }: Pick<Command, 'words'>, message: string | null): string | null {
  const [, field = '', rest = ''] = /^(\w+)(: .*)$/s.exec(message ?? '') ?? [];
  return Object.hasOwn(words, field) ? `${words[field]}${rest}` : message;
}

/** The one argument a command takes; throws `UsageError` when it is missing or not alone. */
export function onlyArgument(positionals: readonly string[], name: string): string {
  const [first, ...rest] = positionals;
  if (first === undefined) throw new UsageError(`${name} is missing`);
  if (rest.length > 0) throw new UsageError(`there is more than one ${name}`);
  return first;
}

/** A whole number that an option gives; undefined when it was left out. */
export function numberOption(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} is a whole number`);
  return Number(value);
}

/** The object without what is undefined. */
export function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
