import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { byKind, KINDS } from '../../base/kinds.js';
import { rule } from '../../base/language/rules.js';
import { SOCIALS, type Social } from '../../base/socials.js';
import { socialsOf } from '../../core/accounts/record.js';
import type { AccountContext } from '../../core/context.js';
import { patchOwn } from './changes.js';

const PREFERENCES = ['PORTAL', 'SHORT', 'RAW'] as const;
const preference = z.enum(PREFERENCES).nullable();

/** Which URL of an item its owner prefers (contract §3, URL settings). */
export const urlSettings = z.object(byKind(() => preference));

const preferenceInput = z
  .string()
  .nullish()
  .transform((value, ctx) => {
    if (value === undefined || value === null || value === '') return value;
    const known = PREFERENCES.find((name) => name === value.toUpperCase());
    if (known !== undefined) return known;
    ctx.addIssue({ code: 'custom', message: 'use PORTAL, SHORT, RAW or null' });
    return z.NEVER;
  });
/** Changes of the URL settings; absent keeps, null clears. */
export const urlSettingsPatch = z.object(byKind(() => preferenceInput));

/** The URL settings of an account; null if not set. */
export function urlSettingsOf(user: User): z.output<typeof urlSettings> {
  return byKind((kind) => PREFERENCES.find((name) => name === user.urlSettings[kind]) ?? null);
}

/** Changes the caller's URL settings. */
export async function patchUrlSettings(
  ctx: AccountContext,
  patch: z.output<typeof urlSettingsPatch>,
): Promise<void> {
  await patchOwn(ctx, 'settings.changed', 'urlSettings', patch, KINDS);
}

const MAX_SOCIAL_LENGTH = 200;
const social = z
  .string()
  .trim()
  .max(MAX_SOCIAL_LENGTH, rule('can have at most {max} characters', { max: MAX_SOCIAL_LENGTH }))
  .regex(/^[^\p{Cc}\p{Cf}]*$/u, 'cannot contain control characters')
  // They become links on pages and in clients.
  .refine((value) => !/^(javascript|data|vbscript|file):/i.test(value), 'is not a valid address')
  .nullish();

/** Changes of the social profiles; absent keeps, null clears. */
export const socialsPatch = z.object(
  Object.fromEntries(SOCIALS.map((name) => [name, social])) as Record<Social, typeof social>,
);

/** Changes the caller's social profiles; returns all of them. */
export async function patchSocials(
  ctx: AccountContext,
  patch: z.output<typeof socialsPatch>,
): Promise<Record<Social, string | null>> {
  return socialsOf(await patchOwn(ctx, 'profile.changed', 'socials', patch, SOCIALS));
}
