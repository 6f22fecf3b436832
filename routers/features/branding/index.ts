import {
  type Banner,
  type BrandingChange,
  changeBranding,
  readPolicies,
} from '../../../db/system/branding.js';
import { fail } from '../../base/errors.js';
import { isoOrNull } from '../../base/text/dates.js';
import { lockAdmin } from '../../core/accounts/people.js';
import { audit } from '../../core/audit.js';
import { brandingOf, openPicture } from '../../core/branding/branding.js';
import {
  type BrandingInput,
  type BrandingRecord,
  brandingInput,
  brandingRecord,
} from '../../core/branding/fields.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { admin, open, router } from '../../core/trpc.js';
import { readTarget } from '../link/public.js';

/** The branding of the installation: name, looks, links and policies (contract §11). */
export const brandingRouter = router({
  /** For everybody. */
  get: open(null)
    .output(brandingRecord)
    .query(({ ctx }) => recordOf(ctx.app)),

  /** For its administrators: the same, also of what is over. */
  settings: admin('admin:read')
    .output(brandingRecord)
    .query(({ ctx }) => settingsOf(ctx.app)),

  change: admin('admin:write')
    .input(brandingInput)
    .output(brandingRecord)
    .mutation(({ ctx, input }) => change(ctx, input)),
});

const bannerRecord = (banner: Banner | null): BrandingRecord['banner'] =>
  banner === null ? null : { ...banner, until: isoOrNull(banner.until) };

async function recordOf(app: Services): Promise<BrandingRecord> {
  const [{ policies: _, footerLinks, banner, ...branding }, texts] = await Promise.all([
    brandingOf(app),
    readPolicies(app.db.read),
  ]);
  return {
    ...branding,
    footerLinks: [...footerLinks],
    banner: bannerRecord(banner),
    unknownUrl: null,
    ...texts,
  };
}

/** As everybody sees it, but with a logo and a banner that they do not see, or no longer. */
async function settingsOf(app: Services): Promise<BrandingRecord> {
  const [record, look] = await Promise.all([recordOf(app), app.load.look('look')]);
  return {
    ...record,
    logo: look?.logo ?? null,
    banner: bannerRecord(look?.banner ?? null),
    unknownUrl: look?.unknownUrl ?? null,
  };
}

/** Null for what clears: "" and null. */
const orNull = <T>(value: T | '' | null | undefined): T | null | undefined =>
  value === '' ? null : (value as T | null | undefined);

async function change(ctx: AccountContext, input: BrandingInput): Promise<BrandingRecord> {
  const { app, account } = ctx;
  const change = given(await changeOf(ctx, input));
  const fields = Object.keys(change);
  if (fields.length > 0) {
    await app.db.write(async (trx) => {
      await lockAdmin(app, trx, account.id);
      await changeBranding(trx, change);
      await audit(ctx, trx, 'branding.changed', { info: { fields: fields.join(' ') } });
    });
  }
  return settingsOf(app);
}

/** Without the fields that stay as they are. */
const given = (change: Partial<Record<keyof BrandingChange, unknown>>): BrandingChange =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

async function changeOf({ app }: Context, input: BrandingInput) {
  const { banner, footerLinks } = input;
  return {
    name: orNull(input.name),
    tagline: orNull(input.tagline),
    logo: await logoOf(app, orNull(input.logo)),
    accent: orNull(input.accent),
    unknownUrl: input.unknownUrl ? readTarget(input.unknownUrl, app.settings) : orNull(input.unknownUrl),
    footerLinks: footerLinks === null ? [] : footerLinks,
    banner:
      banner === null || banner === undefined
        ? banner
        : { text: banner.text, kind: banner.kind ?? ('info' as const), until: banner.until },
    privacy: withText(orNull(input.privacy)),
    imprint: withText(orNull(input.imprint)),
  };
}

/** A text of spaces is none. */
const withText = (text: string | null | undefined) => (text?.trim() === '' ? null : text);

/** The id of a logo; 400 for what not everybody can see as a picture. */
async function logoOf(app: Services, id: string | null | undefined): Promise<string | null | undefined> {
  if (id === null || id === undefined) return id;
  // One that is hidden meanwhile stays, so that a form with it can be saved.
  if (id === (await app.load.look('look'))?.logo) return undefined;
  return (
    (await openPicture(app, id)) ??
    fail('INVALID', 'logo: use the ID of a public picture without a password and a limit of views')
  );
}
