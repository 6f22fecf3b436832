import { z } from 'zod';
import type { Upload } from '../../db/content/upload.js';
import { ENGLISH } from '../language/speech.js';
import { isTold, type Told } from '../language/told.js';

/** A text with its values, to be said in the language of whoever reads it. */
export const toldRecord = z.object({
  text: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});
export type ToldRecord = z.output<typeof toldRecord>;

/** What is kept of why an upload failed: in English, and with its fields as what can be said in any language. */
export const failureOf = (fields: unknown, why: Told) => ({
  reason: ENGLISH.tell(why),
  fields: { ...(fields as object), told: plain(why) },
});

/** As a record. */
export function plain({ text, values = {} }: Told): ToldRecord {
  const known = Object.entries(values).map(([name, value]) => [
    name,
    isTold(value) ? ENGLISH.tell(value) : value,
  ]);
  return { text, values: Object.fromEntries(known) };
}

const kept = z.object({ told: toldRecord });

/** Why an upload failed; null if it has not. */
export function whyFailed({ reason, fields }: Pick<Upload, 'reason' | 'fields'>): ToldRecord | null {
  if (reason === null) return null;
  return kept.safeParse(fields).data?.told ?? { text: reason };
}
