import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { armored, SealError, type SealedFor, type SealedName, seal } from '../src/sealed.js';
import { CommandError, UsageError } from './command.js';
import { readSecret } from './terminal.js';

/** The options of what is sealed, for `parseArgs`. */
export const SEAL_OPTIONS = {
  seal: { type: 'boolean', default: false },
  passphrase: { type: 'boolean', default: false },
  to: { type: 'string', multiple: true },
} as const;

/** The same, as the help shows them. */
export const SEAL_USAGE = '[--seal [--passphrase | --to RECIPIENT...]]';

interface SealValues {
  readonly seal: boolean;
  readonly passphrase: boolean;
  readonly to?: string[] | undefined;
}

/** For whom something is sealed; null if it is not. */
export async function sealedFor({ seal, passphrase, to }: SealValues): Promise<SealedFor | null> {
  if (passphrase && to !== undefined) throw new UsageError('use --passphrase or --to, not both');
  if (!seal && !passphrase && to === undefined) return null;
  if (to !== undefined) return { to };
  return passphrase ? { passphrase: await readPassphrase() } : {};
}

/** A passphrase: from the terminal, else `HOLDALL_PASSPHRASE`, else the first line of standard input. */
export async function readPassphrase(): Promise<string> {
  const { HOLDALL_PASSPHRASE } = process.env;
  const typed =
    !process.stdin.isTTY && HOLDALL_PASSPHRASE ? HOLDALL_PASSPHRASE : await readSecret('Passphrase: ');
  if (typed === '') throw new UsageError('the passphrase is missing');
  return typed;
}

/** What is sent of something sealed, and what its link ends with. */
interface SealedSource {
  readonly content: Readable;
  readonly fields: { readonly sealed: true; readonly sealedName: string };
  readonly fragment: string;
}

/** Seals a stream. */
export async function sealSource(source: Readable, name: SealedName, whom: SealedFor): Promise<SealedSource> {
  try {
    const web = Readable.toWeb(source) as ReadableStream<Uint8Array>;
    const { content, sealedName, identity } = await seal(web, name, whom);
    return {
      content: Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]),
      fields: { sealed: true, sealedName },
      fragment: identity === null ? '' : `#${identity}`,
    };
  } catch (error) {
    if (error instanceof SealError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** Seals a text, as pastes have it. */
export async function sealText(text: string, name: SealedName, whom: SealedFor) {
  const { content, fields, fragment } = await sealSource(Readable.from([Buffer.from(text)]), name, whom);
  return { text: armored(await buffer(content)), fields, fragment };
}
