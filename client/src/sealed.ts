/**
 * `@holdall/client/sealed`: encrypting before something is sent, and decrypting what was received, in the format of age.
 * Apart from the rest, so that others do not load it.
 *
 *     const { content, sealedName, identity } = await seal(file.stream(), { name: file.name });
 *     const plain = await open(response.body, { identity });
 */
import { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';

/** What is said of something sealed, in its sealed name. */
export interface SealedName {
  readonly name?: string;
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  /** Bytes. */
  readonly size?: number;
}

/** Who can open it: whoever has the passphrase, or the secret keys of these public ones; by default whoever has a new key. */
export interface SealedFor {
  readonly passphrase?: string;
  /** `age1…` */
  readonly to?: readonly string[];
}

/** What opens something sealed. */
export interface SealKey {
  readonly passphrase?: string;
  /** `AGE-SECRET-KEY-1…` */
  readonly identity?: string;
}

/** Something cannot be sealed or opened; the message says why. */
export class SealError extends Error {}

const WRONG_KEY = 'This key does not open it';
const DAMAGED = 'It was cut or changed: nothing of it is shown';

/** A new key: the secret identity, and the recipient to which others seal. */
export async function newKey(): Promise<{ readonly identity: string; readonly recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The public key of a secret one, to which others seal. */
export const recipientOf = (identity: string): Promise<string> => identityToRecipient(identity.toUpperCase());

/** Something sealed: its content as an age file, its sealed name, and the new key if one was made. */
interface Sealed {
  readonly content: ReadableStream<Uint8Array>;
  /** In base64, as the interface takes it. */
  readonly sealedName: string;
  readonly identity: string | null;
  /** Bytes of the age file of so many bytes. */
  sizeOf(plain: number): number;
}

/** Seals a stream with what is said of it. Throws `SealError` for a recipient that is none. */
export async function seal(
  content: ReadableStream<Uint8Array>,
  name: SealedName,
  { passphrase, to }: SealedFor = {},
): Promise<Sealed> {
  const key = passphrase === undefined && to === undefined ? await newKey() : null;
  const encrypter = new Encrypter();
  if (passphrase === undefined)
    for (const each of key === null ? (to ?? []) : [key.recipient]) addTo(encrypter, each);
  else encrypter.setPassphrase(passphrase);
  if (to?.length === 0) throw new SealError('Say to whom it is sealed');
  const stream = await encrypter.encrypt(content);
  const named = await encrypter.encrypt(JSON.stringify(name));
  return {
    content: stream,
    sealedName: base64(named),
    identity: key?.identity ?? null,
    sizeOf: (plain) => stream.size(plain),
  };
}

/** The library knows none of them; `age` does. */
const OF_SSH = 'Keys of SSH are not taken here: seal with “age -R”, and send the age file';

function addTo(encrypter: Encrypter, recipient: string): void {
  if (/^ssh-/.test(recipient)) throw new SealError(OF_SSH);
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new SealError(`${recipient} is no public key of age (age1…)`, { cause });
  }
}

function decrypterOf({ passphrase, identity }: SealKey): Decrypter {
  const decrypter = new Decrypter();
  try {
    if (identity !== undefined) decrypter.addIdentity(identity.trim().toUpperCase());
  } catch (cause) {
    throw new SealError('This is no secret key of age (AGE-SECRET-KEY-1…)', { cause });
  }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  return decrypter;
}

/**
 * Opens an age file. Throws `SealError` for another key, and the stream fails with one where the content was cut or
 * changed: what came before must not be taken for the whole.
 */
export async function open(
  content: ReadableStream<Uint8Array>,
  key: SealKey,
): Promise<ReadableStream<Uint8Array>> {
  const decrypter = decrypterOf(key);
  const stream = await decrypter.decrypt(content).catch(refuse);
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (cause) {
        controller.error(new SealError(DAMAGED, { cause }));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function refuse(cause: unknown): never {
  const isOther = cause instanceof Error && /no identity matched/.test(cause.message);
  throw new SealError(isOther ? WRONG_KEY : DAMAGED, { cause });
}

/** Opens a sealed name; null if it says nothing that can be read. */
export async function openName(sealedName: string | null, key: SealKey): Promise<SealedName | null> {
  if (sealedName === null) return null;
  const bytes = Uint8Array.from(atob(sealedName), (sign) => sign.charCodeAt(0));
  const text = await decrypterOf(key).decrypt(bytes, 'text').catch(refuse);
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null ? said : null;
  } catch {
    return null;
  }
}

/** The armor of an age file, as pastes have it. */
export const armored = (file: Uint8Array): string => armor.encode(file);

/** The age file in an armor. Throws `SealError` if it is none. */
export function unarmored(text: string): Uint8Array {
  try {
    return armor.decode(text);
  } catch (cause) {
    throw new SealError(DAMAGED, { cause });
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
