import { z } from 'zod';
import {
  deleteUtmPreset,
  putUtmPreset,
  type UtmFields,
  type UtmPreset,
  utmPresets,
} from '../../../db/content/link/utm-preset.js';
import { fail, found } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { rule } from '../../base/language/rules.js';
import type { AccountContext } from '../../core/context.js';
import { withForwarded } from './target.js';

const NAMES = ['source', 'medium', 'campaign', 'term', 'content'] as const;
const MAX_VALUE = 200;
const MAX_PRESETS = 100;

const value = z
  .string()
  .trim()
  .max(MAX_VALUE, rule('can have at most {max} characters', { max: MAX_VALUE }))
  .nullish();

/** The name of a preset in an address or a field. */
export const presetName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^\P{Cc}*$/u, 'use no control characters');

/** A preset by its name. */
export const presetInput = z.object({
  name: presetName,
  ...(Object.fromEntries(NAMES.map((name) => [name, value])) as Record<(typeof NAMES)[number], typeof value>),
});

/** A preset in the API. */
export const presetRecord = z.object({
  name: z.string(),
  source: z.string().nullable(),
  medium: z.string().nullable(),
  campaign: z.string().nullable(),
  term: z.string().nullable(),
  content: z.string().nullable(),
});

const toRecord = ({ name, fields }: UtmPreset): z.output<typeof presetRecord> => ({
  name,
  source: fields.source ?? null,
  medium: fields.medium ?? null,
  campaign: fields.campaign ?? null,
  term: fields.term ?? null,
  content: fields.content ?? null,
});

/** The presets of the caller, by name. */
export const listPresets = async ({ app, account }: AccountContext) =>
  (await utmPresets(app.db.read, account.id)).map(toRecord);

/** One preset of the caller; 404 if there is none of this name. */
export const getPreset = async ({ app, account }: AccountContext, name: string) =>
  toRecord(found((await utmPresets(app.db.read, account.id, name))[0] ?? null));

/** Stores a preset of the caller, in place of one of this name. */
export async function putPreset(
  { app, account }: AccountContext,
  { name, ...given }: z.output<typeof presetInput>,
): Promise<z.output<typeof presetRecord>> {
  const fields: UtmFields = Object.fromEntries(Object.entries(given).filter(([, text]) => text));
  if (Object.keys(fields).length === 0)
    fail('INVALID', 'A preset needs one of source, medium, campaign, term and content');
  const preset = { name, fields };
  await app.db.write(async (trx) => {
    await putUtmPreset(trx, account.id, preset);
    if ((await utmPresets(trx, account.id)).length > MAX_PRESETS)
      fail('INVALID', localizable('An account can have at most {max} presets', { max: MAX_PRESETS }));
  });
  return toRecord(preset);
}

/** Deletes a preset of the caller. Links that were made with it stay as they are. */
export async function dropPreset({ app, account }: AccountContext, name: string): Promise<void> {
  if (!(await app.db.write((trx) => deleteUtmPreset(trx, account.id, name)))) fail('NOT_FOUND');
}

/** A target with the fields of a preset; those that it has already stay. 400 if there is no such preset. */
export async function withPreset(ctx: AccountContext, target: string, name: string): Promise<string> {
  const [preset] = await utmPresets(ctx.app.db.read, ctx.account.id, name);
  if (preset === undefined) fail('INVALID', localizable('utm: there is no preset {name}', { name }));
  const { searchParams } = new URL(target);
  const added = NAMES.flatMap((field) => {
    const text = preset.fields[field];
    return text === undefined || searchParams.has(`utm_${field}`)
      ? []
      : [`utm_${field}=${encodeURIComponent(text)}`];
  });
  return withForwarded(target, added.join('&'));
}
