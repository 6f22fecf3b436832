import { z } from 'zod';
import type { LinkWay } from '../../../db/content/link/link-way.js';
import { wishedEndInput } from '../../base/text/dates.js';
import { slugInput } from '../../core/items/ids.js';
import { itemPasswordInput } from '../../core/items/item-password.js';
import { tagsInput } from '../../core/items/tags.js';
import { maxUsesInput } from './fields.js';
import { domainField } from './find.js';
import { wayFields } from './way-input.js';

/** The columns of an import, as a message names them. */
export const COLUMNS = ['uniqueId', 'url', 'maxUses', 'expiresAt', 'password', 'tags', 'note'] as const;
/** What an export says besides, and what a change takes. */
export const FLAGS = [
  ...['private', 'isPublic', 'requiresPassword', 'forwardQuery'],
  ...['rules', 'split', 'fallbackUrl', 'startsAt', 'forwardPath', 'domain'],
];

/** A cell with yes or no; an empty one says nothing. */
const flag = z.preprocess(
  (value) =>
    typeof value === 'string'
      ? ({ true: true, '1': true, false: false, '0': false, '': null }[value.trim().toLowerCase()] ?? value)
      : value,
  z.boolean().nullish(),
);

/** A cell with a whole number in decimal digits; an empty one is none. */
const cell = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    return text === '' ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : value;
  }, schema);

/** A cell with a list as JSON; an empty one is none. */
const listed = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'string' || value.trim() === '') return value || undefined;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  }, schema);

/** What a row says, read from its cells. */
export const row = z.object({
  uniqueId: slugInput,
  private: flag,
  isPublic: flag,
  requiresPassword: flag,
  forwardQuery: flag,
  ...wayFields,
  rules: listed(wayFields.rules),
  split: listed(wayFields.split),
  forwardPath: flag,
  domain: domainField,
  url: z.string({ error: 'a link needs a URL' }),
  maxUses: cell(maxUsesInput),
  expiresAt: wishedEndInput,
  password: itemPasswordInput,
  tags: z.preprocess(
    (value) =>
      typeof value === 'string' && value !== '' ? value.split(',').filter((tag) => tag.trim() !== '') : value,
    tagsInput.optional(),
  ),
  note: z
    .string()
    .trim()
    .max(2_000, 'can have at most 2000 characters')
    .nullish()
    .transform((value) => value || null),
});

/** A link that can be stored. */
export type Row = Omit<z.output<typeof row>, 'expiresAt' | 'domain'> & {
  readonly line: number;
  readonly target: string;
  readonly expiresAt: number | null;
  readonly way: LinkWay;
  /** The domain that it is on; null for the installation. */
  readonly domain: { readonly id: number } | null;
};
