import { z } from 'zod';
import { type User, updateUser } from '../../../db/account/account.js';
import { lockWebhook, type StoredWebhook, saveWebhook, webhookOf } from '../../../db/webhook/webhook.js';
import { resetWebhookHealth, webhookHealthOf } from '../../../db/webhook/webhook-health.js';
import { embedSettings, embedSettingsOf } from '../../base/embed-settings.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { localizableOfRule, rule } from '../../base/language/rules.js';
import { type WebhookTarget, webhookEventTypes, webhookFormats } from '../../base/ports/outbound.js';
import { isoOrNull } from '../../base/text/dates.js';
import { accountOf, lockAccount } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import type { AccountContext, Services } from '../../core/context.js';
import { receives } from '../../core/webhook/emit.js';
import { differing, patched } from './changes.js';

/** Webhook settings in the API (contract §3); the secret is never returned. */
export const webhookSettings = embedSettings.extend({
  url: z.string().nullable(),
  format: z.enum(webhookFormats),
  events: z.array(z.enum(webhookEventTypes)),
  hasSecret: z.boolean(),
  /** When it was turned off for failing too often; saving the settings turns it on again. */
  disabledAt: z.iso.datetime().nullable(),
});
export type WebhookSettings = z.output<typeof webhookSettings>;

const text = (max: number) =>
  z.string().trim().max(max, rule('can have at most {max} characters', { max })).nullish();
/** "" clears, like null. */
const blank = z.literal('').transform(() => null);

const eventInput = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z.enum(webhookEventTypes, {
      error: rule('must be some of {known}', { known: webhookEventTypes.join(', ') }),
    }),
  );

/** Changes of the webhook's settings; absent keeps. */
export const webhookPatch = z.object({
  enabled: z.union([blank, z.boolean()]).nullish(),
  title: text(200),
  titleUrl: text(500).refine(isLink, 'must be an http(s) URL or begin with a placeholder'),
  description: text(1_000),
  color: text(7)
    .refine(isColor, 'use #rgb, #rrggbb or random')
    .transform((value) => (value?.toLowerCase() === 'random' ? 'random' : value)),
  authorName: text(200),
  url: text(1_000),
  format: z
    .string()
    .toLowerCase()
    .pipe(z.union([blank, z.enum(webhookFormats)]))
    .nullish(),
  events: z.union([blank, z.array(eventInput).max(50)]).nullish(),
  secret: text(200),
});
type WebhookPatch = z.output<typeof webhookPatch>;

function isLink(value: string | null | undefined): boolean {
  return value === undefined || value === null || value === '' || /^(https?:\/\/\S|\{\w+\})/i.test(value);
}

function isColor(value: string | null | undefined): boolean {
  const color = value ?? '';
  return color === '' || /^(#[0-9a-f]{3}|#[0-9a-f]{6}|random)$/i.test(color);
}

const EMBED_TEXTS = ['title', 'titleUrl', 'description', 'color', 'authorName'] as const;
const NO_EMBED = {
  enabled: false,
  title: null,
  titleUrl: null,
  description: null,
  color: null,
  authorName: null,
};

/** The webhook settings of the caller. */
export async function readWebhookSettings(ctx: AccountContext): Promise<WebhookSettings> {
  const user = await accountOf(ctx.app, ctx.account.id);
  const target = await webhookTarget(ctx.app, user);
  return {
    ...(embedSettingsOf(user) ?? NO_EMBED),
    url: target.url,
    format: target.format,
    events: target.events,
    hasSecret: target.secret !== null,
    disabledAt: isoOrNull((await webhookHealthOf(ctx.app.db.read, user.id)).disabledAt),
  };
}

/** Where the events of an account are sent; `url` is null if nowhere. Without a choice: every event, as JSON. */
export async function webhookTarget(
  app: Services,
  user: User,
): Promise<Omit<WebhookTarget, 'url'> & { url: string | null; events: WebhookSettings['events'] }> {
  const stored = await webhookOf(app.db.read, user.id);
  const open = (cipher: string | null) => (cipher === null ? null : app.secrets.decrypt(cipher));
  return {
    url: open(stored.urlCipher),
    secret: open(stored.secretCipher),
    format: webhookFormats.find((format) => format === stored.format) ?? 'json',
    events: webhookEventTypes.filter((type) => receives(stored, type)),
    embed: embedSettingsOf(user),
  };
}

/** Changes the caller's webhook settings; rejects a new URL that cannot be called. */
export async function patchWebhookSettings(ctx: AccountContext, patch: WebhookPatch): Promise<void> {
  const { app, account } = ctx;
  if (typeof patch.url === 'string' && patch.url !== '' && !(await isStored(app, account.id, patch.url))) {
    // Names of http URLs are resolved right away; the result must not tell callers which names exist.
    if (/^http:/i.test(patch.url)) await app.limits.rates.take('webhookTest', String(account.id));
    const refusal = await app.webhooks.refusal(patch.url);
    if (refusal !== null)
      fail('INVALID', localizable('{field}: {why}', { field: 'url', why: localizableOfRule(refusal) }));
  }
  await app.db.write(async (trx) => {
    const user = await lockAccount(app, trx, account.id);
    const embed = patchedEmbed(user, patch);
    const fields = differing(user.embedSettings, embed, [...EMBED_TEXTS, 'enabled']);
    if (fields.length > 0) {
      await updateUser(trx, user.id, { embedSettings: embed });
      await audit(ctx, trx, 'settings.changed', { subject: user.id, info: { fields: fields.join(' ') } });
    }
    const names = ['url', 'secret', 'format', 'events'] as const;
    if (names.every((name) => patch[name] === undefined) && patch.enabled !== true) return;
    await resetWebhookHealth(trx, user.id);
    const stored = await lockWebhook(app.db, trx, user.id);
    await saveWebhook(trx, user.id, patchedTarget(app, stored, patch));
    await audit(ctx, trx, 'webhook.changed', { subject: user.id });
  });
}

/** Forms send the URL with every change. */
async function isStored(app: Services, userId: number, url: string): Promise<boolean> {
  const { urlCipher } = await webhookOf(app.db.read, userId);
  return urlCipher !== null && app.secrets.decrypt(urlCipher) === url;
}

function patchedEmbed(user: User, patch: WebhookPatch): Record<string, unknown> {
  const embed = patched(user.embedSettings, patch, EMBED_TEXTS);
  return patch.enabled === undefined ? embed : { ...embed, enabled: patch.enabled === true };
}

function patchedTarget(app: Services, stored: StoredWebhook, patch: WebhookPatch): StoredWebhook {
  const cipher = (value: string | null | undefined, present: string | null) => {
    if (value === undefined) return present;
    return value === null || value === '' ? null : app.secrets.encrypt(value);
  };
  return {
    urlCipher: cipher(patch.url, stored.urlCipher),
    secretCipher: cipher(patch.secret, stored.secretCipher),
    format: patch.format === undefined ? stored.format : patch.format,
    events: patch.events === undefined ? stored.events : patch.events,
  };
}
