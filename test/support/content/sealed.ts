/** Things sealed as their senders seal them, by the library alone. */
import { armor, Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';

/** A key of age, and its public part. */
export interface AgeKey {
  readonly identity: string;
  readonly recipient: string;
}

/** A new key. */
export async function newKey(): Promise<AgeKey> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/** The age file of these bytes, for a public key. */
export async function ageFile(recipient: string, content: Uint8Array | string): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return Buffer.from(await encrypter.encrypt(typeof content === 'string' ? Buffer.from(content) : content));
}

/** As `ageFile`, with a passphrase; weak, because tests have no secrets and little time. */
export async function ageFileWith(passphrase: string, content: Uint8Array | string): Promise<Buffer> {
  const encrypter = new Encrypter();
  encrypter.setScryptWorkFactor(10);
  encrypter.setPassphrase(passphrase);
  return Buffer.from(await encrypter.encrypt(content));
}

/** An age file as pastes have it. */
export const armored = (file: Uint8Array): string => armor.encode(file);

/** The content of an age file, armored or not. */
export async function opened(identity: string, file: Uint8Array | string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(typeof file === 'string' ? armor.decode(file) : file, 'text');
}

/** The sealed name of something, in base64. */
export const sealedNameFor = async (recipient: string, name: object): Promise<string> =>
  (await ageFile(recipient, JSON.stringify(name))).toString('base64');
