import { z } from 'zod';
import type { Upload } from '../../../db/content/upload.js';
import { ENGLISH } from '../../base/language/i18n.js';
import { isTold, Told } from '../../base/language/localizable.js';

const value = z.union([z.string(), z.number()]);
const part = z.object({ text: z.string(), values: z.record(z.string(), value).optional() });

/** A text with its values, some of which can be such texts, to be said in the language of whoever reads it. */
export const toldRecord = z.object({
  text: z.string(),
  values: z.record(z.string(), z.union([value, part])).optional(),
});
export type ToldRecord = z.output<typeof toldRecord>;

/** What is kept of why an upload failed: in English, and with its fields as what can be said in any language. */
export const failureOf = (fields: unknown, why: Told) => ({
  reason: ENGLISH.tell(why),
  fields: { ...(fields as object), told: plain(why) },
});

/** As a record. What is nested more deeply is English. */
export const plain = ({ text, values = {} }: Told): ToldRecord => ({
  text,
  values: mapped(values, (one) =>
    isTold(one)
      ? {
          text: one.text,
          values: mapped(one.values ?? {}, (inner) => (isTold(inner) ? ENGLISH.tell(inner) : inner)),
        }
      : one,
  ),
});

/** What a record says, in any language. */
export const toldIn = ({ text, values = {} }: ToldRecord): Told =>
  new Told(
    text,
    mapped(values, (one) => (typeof one === 'object' ? new Told(one.text, one.values) : one)),
  );

const mapped = <From, To>(of: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, map(one)]));

const kept = z.object({ told: toldRecord });

/** Why an upload failed; null if it has not. */
export function whyFailed({ reason, fields }: Pick<Upload, 'reason' | 'fields'>): ToldRecord | null {
  if (reason === null) return null;
  return kept.safeParse(fields).data?.told ?? { text: reason };
}
