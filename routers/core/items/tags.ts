import { z } from 'zod';
import { rule } from '../../base/language/rules.js';

/** The most tags of one item. */
export const MAX_TAGS = 20;
const MAX_LENGTH = 40;

/** One tag as people write it: without spaces around it, composed, at most 40 characters. */
export const tagInput = z
  .string()
  .transform((text) => text.normalize('NFC').trim().replace(/\s+/g, ' '))
  .pipe(
    z
      .string()
      .min(1, 'a tag cannot be empty')
      .refine(
        (tag) => [...tag].length <= MAX_LENGTH,
        rule('a tag can have at most {max} characters', { max: MAX_LENGTH }),
      )
      .refine((tag) => !tag.includes(','), 'a tag cannot contain a comma')
      .refine((tag) => !/\p{Cc}/u.test(tag), 'a tag cannot contain control characters'),
  );

/** The tags of an item, each once in whatever case; null and "" are none. */
export const tagsInput = z
  .union([z.literal(''), z.array(tagInput).max(200)])
  .nullable()
  .transform((tags, ctx) => {
    const byKey = new Map((tags === null || tags === '' ? [] : tags).map((tag) => [tag.toLowerCase(), tag]));
    if (byKey.size <= MAX_TAGS) return [...byKey.values()];
    ctx.addIssue({ code: 'custom', message: rule('an item can have at most {max} tags', { max: MAX_TAGS }) });
    return z.NEVER;
  });
