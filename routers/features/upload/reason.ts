import { z } from 'zod';
import type { Upload } from '../../../db/content/upload/upload.js';
import { ENGLISH } from '../../base/language/i18n.js';
import { isLocalizable, Localizable } from '../../base/language/localizable.js';

const value = z.union([z.string(), z.number()]);
const part = z.object({ text: z.string(), values: z.record(z.string(), value).optional() });

/** A text with its values, some of which can be such texts, to be said in the language of whoever reads it. */
export const reasonRecord = z.object({
  text: z.string(),
  values: z.record(z.string(), z.union([value, part])).optional(),
});
export type ReasonRecord = z.output<typeof reasonRecord>;

/** What is kept of why an upload failed: in English, and with its fields as what can be said in any language. */
export const failureOf = (fields: unknown, why: Localizable) => ({
  reason: ENGLISH.translate(why),
  fields: { ...(fields as object), localizable: plain(why) },
});

/** As a record. What is nested more deeply is English. */
export const plain = ({ text, values = {} }: Localizable): ReasonRecord => ({
  text,
  values: mapped(values, (one) =>
    isLocalizable(one)
      ? {
          text: one.text,
          values: mapped(one.values ?? {}, (inner) =>
            isLocalizable(inner) ? ENGLISH.translate(inner) : inner,
          ),
        }
      : one,
  ),
});

/** What a record says, in any language. */
export const reasonIn = ({ text, values = {} }: ReasonRecord): Localizable =>
  new Localizable(
    text,
    mapped(values, (one) => (typeof one === 'object' ? new Localizable(one.text, one.values) : one)),
  );

const mapped = <From, To>(of: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(of).map(([name, one]) => [name, map(one)]));

const kept = z.object({ localizable: reasonRecord });

/** Why an upload failed; null if it has not. */
export function whyFailed({ reason, fields }: Pick<Upload, 'reason' | 'fields'>): ReasonRecord | null {
  if (reason === null) return null;
  return kept.safeParse(fields).data?.localizable ?? { text: reason };
}
