import { z } from 'zod';
import { AGE, base64Bytes, isRecipientForm, stanzasInArmor, stanzasOf } from '../../base/age.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';

/** The largest sealed name, in bytes of its age file. */
const MAX_NAME_BYTES = 8 * 1024;

const refused = z.unknown().optional();

/**
 * What nobody may say of something sealed in the clear. It stands first among the inputs: where it may be said of what is
 * not sealed, a schema of its own follows.
 */
export const clearInput = { title: refused, desc: refused, originalName: refused, tags: refused };
/** What is taken from them. */
type ClearInput = z.output<z.ZodObject<typeof clearInput>>;

/** What a sender says of something that was sealed before it was sent; it stands first, as `clearInput` does. */
export const sealInput = {
  ...clearInput,
  sealed: z.boolean().nullish(),
  /** An age file in base64 with the name, type, title, description, language and size of the content. */
  sealedName: z.string().max(100_000).nullish(),
};
type SealInput = z.output<z.ZodObject<typeof sealInput>>;

/** What records say of a seal. */
export const sealRecord = { sealed: z.boolean(), sealedName: z.string().nullable() };

/** The values of `sealRecord`; the name only for those who may open the item. */
export const sealShown = (seal: string | null, access = true) => ({
  sealed: seal !== null,
  sealedName: access && seal ? seal : null,
});

/** A sealed name as it is kept, "" for none; 400 if it is no age file or too long. */
function sealedNameOf(name: string | null | undefined): string {
  const text = name?.trim() ?? '';
  if (text === '') return '';
  const bytes = base64Bytes(text);
  if (bytes !== null && bytes.length > MAX_NAME_BYTES)
    fail(
      'INVALID',
      localizable('sealedName: a sealed name can have at most {max} bytes', { max: MAX_NAME_BYTES }),
    );
  if (bytes === null || stanzasOf(bytes) === null) fail('INVALID', 'sealedName: send an age file in base64');
  return text;
}

/** The seal of something new; null for what is not sealed. 400 for what would be said of it in the clear. */
export function sealOf({ sealed, sealedName, ...said }: SealInput): string | null {
  if (sealed === true) {
    const seal = sealedNameOf(sealedName);
    refuseSaid(seal, said);
    return seal;
  }
  if (sealedName?.trim()) fail('INVALID', 'sealedName: only what is sealed has a sealed name');
  return null;
}

/** The seal after a change; undefined if it stays, 400 for a name of something that is not sealed. */
export function changedSeal(seal: string | null, sealedName: string | null | undefined): string | undefined {
  if (sealedName === undefined) return undefined;
  if (seal === null && sealedName?.trim()) sealOf({ sealedName });
  return seal === null ? undefined : sealedNameOf(sealedName);
}

/** Refuses with 400 what would be said of something sealed in the clear, by the name of its field. */
export function refuseClear(seal: string | null, fields: Readonly<Record<string, unknown>>): void {
  if (seal === null) return;
  for (const [field, value] of Object.entries(fields)) {
    const isEmpty =
      typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0;
    if (value !== undefined && value !== null && !isEmpty)
      fail(
        'INVALID',
        localizable('{field}: what is sealed has no such text in the clear, put it into the sealed name', {
          field,
        }),
      );
  }
}

/** As `refuseClear`, for the fields of `clearInput`. */
export const refuseSaid = (seal: string | null, { title, desc, originalName, tags }: ClearInput): void =>
  refuseClear(seal, { title, desc, originalName, tags });

/** Refuses with 400 a sealed text that is not the armor of an age file alone. */
export function requireArmor(seal: string | null, text: string): void {
  if (seal !== null && stanzasInArmor(text) === null)
    fail('INVALID', 'text: a sealed text is an armored age file, with nothing before or after it');
}

/** To whom something is sealed: a public key of age. Null and "" are nobody. */
export const recipientInput = z
  .string()
  .trim()
  .refine(
    (text) => text === '' || isRecipientForm(text),
    'use a public key of age (age1…), never a secret one',
  )
  .nullish();

/** Refuses with 400 a public key with a typing error in it. */
export async function requireRecipient(recipient: string): Promise<void> {
  const { Encrypter } = await import('age-encryption');
  try {
    new Encrypter().addRecipient(recipient);
  } catch (cause) {
    fail('INVALID', { message: 'recipient: use a public key of age (age1…), never a secret one', cause });
  }
}

/** The name under which a sealed item is saved. */
export const sealedFileName = (uniqueId: string): string => `${uniqueId}.${AGE.type}`;
