import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../root.js';

const run = promisify(execFile);

/** A package that uses a client, in a temporary folder. */
export interface Consumer {
  readonly folder: string;
  /** Type-checks programs as that package would; the compiler errors, or "". */
  check(programs: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

/** Creates a package that compiles strictly, declarations of libraries included, with more options of the compiler. */
export async function createConsumer(
  options: Readonly<Record<string, string | boolean | readonly string[]>>,
): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-consumer-'));
  const compilerOptions = { strict: true, module: 'nodenext', noEmit: true, skipLibCheck: false, ...options };
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return {
    folder,
    check: async (programs) => {
      for (const [name, program] of Object.entries(programs)) await writeFile(join(folder, name), program);
      return run(process.execPath, [compiler, '--pretty', 'false', '-p', folder]).then(
        () => '',
        (error) => String(error.stdout),
      );
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The changes of a program for the worse that the compiler accepts. */
export async function wronglyAccepted(
  { check }: Consumer,
  program: string,
  wrongs: readonly (readonly [right: string, wrong: string])[],
): Promise<string[]> {
  const nameOf = (index: number) => `wrong${index}.ts`;
  const complaints = await check(
    Object.fromEntries(wrongs.map(([right, wrong], index) => [nameOf(index), program.replace(right, wrong)])),
  );
  return wrongs.flatMap(([, wrong], index) => (complaints.includes(`${nameOf(index)}(`) ? [] : [wrong]));
}
