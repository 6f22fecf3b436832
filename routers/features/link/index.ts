import { z } from 'zod';
import { only } from '../../../db/content/content.js';
import type { Link } from '../../../db/content/link/link.js';
import { PLAIN_WAY } from '../../../db/content/link/link-way.js';
import { fail, unlessRemoved } from '../../base/errors.js';
import { linesOutput } from '../../base/lines.js';
import { idOnDomain, slugOf } from '../../base/link-domain.js';
import { pageOf } from '../../base/paging.js';
import { slugsIn } from '../../base/slug.js';
import { wishedEndInput } from '../../base/text/dates.js';
import { accessOrNull } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { discard, permanentInput } from '../../core/items/discard.js';
import { domainFor, requireElsewhere } from '../../core/items/domains.js';
import { insertUnderId, newSlugInput } from '../../core/items/ids.js';
import { hashItemPassword, itemPasswordInput, shownPasswordInput } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { tagsInput } from '../../core/items/tags.js';
import { may, requireAllowed } from '../../core/policies.js';
import { notifyInput } from '../../core/telling/input.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { deliverEmitted } from '../../core/webhook/emit.js';
import { changeLink, linkChangeInput } from './change.js';
import { storeLinks } from './create.js';
import { digestOf, setDigest } from './digest.js';
import { exportInput, exportLinks } from './export.js';
import { linkExtras, maxUsesInput, previewOf } from './fields.js';
import { byId, domainField, findLink } from './find.js';
import { findExisting } from './find-existing.js';
import { checkLink } from './health.js';
import { importInput, importLinks, importResult } from './import.js';
import { botsOfLinks, linkTagsOf, linkTotalsOf, listInput, listLinks, ownLink } from './list.js';
import { presetProcedures } from './presets.js';
import { drawQr, qrInput, qrResult } from './qr.js';
import { shortUrlRecord, toShortUrlRecord } from './record.js';
import { readTarget } from './target.js';
import { presetName, withPreset } from './utm.js';
import { visitProcedures } from './visits/index.js';
import { isEnded, visit, visitInput, visitResult } from './visits/visit.js';
import { NEWEST_VISITS, withVisits } from './visits/visits.js';
import { changedWay, targetsOf, wayFields } from './way-input.js';

const digest = z.object({ weekly: z.boolean() });

const createInput = z.object({
  url: z.string(),
  uniqueId: newSlugInput,
  maxUses: maxUsesInput,
  expiresAt: wishedEndInput,
  password: itemPasswordInput,
  private: z.boolean().nullish(),
  notify: notifyInput,
  tags: tagsInput.optional(),
  ...linkExtras,
  ...wayFields,
  domain: domainField,
  /** The name of a preset, which adds its fields to the target. */
  utm: presetName.nullish(),
  /** Whether a link of the caller with the same target and fields is as good as a new one. */
  findIfExists: z.boolean().nullish(),
});

/** A link that is over is seen by its owner and administrators, one in quarantine by moderators, too. */
const maySeeEnded = (ctx: Context, url: Link): Promise<boolean> =>
  may(ctx, url.quarantine === null ? 'seeCounts' : 'open', 'url', url);

/** Short URLs (contract §4). */
export const urlRouter = router({
  create: creator('urls:write', 'creates')
    .input(createInput)
    .output(shortUrlRecord)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      const given = readTarget(input.url, ctx.app.settings);
      const originalUrl =
        input.utm == null ? given : readTarget(await withPreset(ctx, given, input.utm), ctx.app.settings);
      const expiresAt = endOfNew(await entryRulesOf(ctx.app, ctx.account.id), input.expiresAt);
      const passwordHash = await hashItemPassword(ctx.app, ctx.account.id, input.password);
      const preview = await previewOf(ctx.app, ctx.account.id, input.preview);
      const way = changedWay(PLAIN_WAY, input, ctx.app.settings);
      await requireElsewhere(ctx.app, targetsOf(originalUrl, way));
      const domain = await domainFor(ctx.app, ctx.account.id, input.domain ?? null);
      let existing = false;
      const url = await insertUnderId(ctx.app.db, input.uniqueId, (slug) => {
        const creation = {
          item: {
            uniqueId: idOnDomain(domain, slug),
            ownerId: ctx.account.id,
            isPublic: input.private !== true,
            passwordHash,
            createdAt: Date.now(),
            expiresAt,
            originalUrl,
            maxUses: input.maxUses,
            forwardQuery: input.forwardQuery === true,
            note: input.note ?? null,
            notify: input.notify,
            preview,
            way,
          },
          tags: input.tags,
          watched: ctx.account.hasWebhook,
        };
        if (input.findIfExists !== true) return ctx.app.creations.link(creation);
        return ctx.app.db.write(async (trx) => {
          const end = input.expiresAt === null ? null : expiresAt;
          const found = await findExisting(ctx.app, trx, creation, { uniqueId: input.uniqueId, end });
          existing = found !== null;
          return found ?? only(await storeLinks(ctx.app, trx, [creation]));
        });
      });
      deliverEmitted(ctx);
      return toShortUrlRecord(ctx.app, url, { access: true, creator: true, existing });
    }),

  get: open('urls:read')
    .input(byId.extend({ password: shownPasswordInput, logs: z.boolean().default(false) }))
    .output(shortUrlRecord)
    .query(async ({ ctx, input }) => {
      const url = await findLink(ctx, input);
      const withLogs = input.logs && (await may(ctx, 'seeVisitors', 'url', url));
      if (isEnded(url) && !withLogs && !(await maySeeEnded(ctx, url))) fail('NOT_FOUND');
      const access = (await accessOrNull(ctx, 'url', url, input.password)) !== null;
      const own = await may(ctx, 'seeOwn', 'url', url);
      if (!withLogs) return toShortUrlRecord(ctx.app, url, { access, own });
      return withVisits(ctx, url, NEWEST_VISITS, (logs) =>
        toShortUrlRecord(ctx.app, url, { access, own, logs }),
      );
    }),

  visit: open(null, 'whilePaused')
    .input(visitInput)
    .output(visitResult)
    .mutation(async ({ ctx, input }) => {
      const ids = slugsIn(input.uniqueId);
      for (const uniqueId of ids.slice(0, -1)) {
        const visited = await unlessRemoved(visit(ctx, { ...input, uniqueId }));
        if (visited !== null) return visited;
      }
      return visit(ctx, { ...input, uniqueId: ids.at(-1) ?? '' });
    }),

  /** The QR code of a link. */
  qr: open('urls:read', 'whilePaused')
    .input(qrInput)
    .output(qrResult)
    .query(({ ctx, input }) => drawQr(ctx, input)),

  /** Looks at the targets of a link of the caller now. */
  check: creator('urls:write')
    .input(byId)
    .output(shortUrlRecord)
    .mutation(({ ctx, input }) => checkLink(ctx, input)),

  /** Changes a link of the caller. */
  change: creator('urls:write')
    .input(linkChangeInput)
    .output(shortUrlRecord)
    .mutation(({ ctx, input }) => changeLink(ctx, input)),

  ...visitProcedures,

  /** A link of the caller, also one that has ended; 404 for those of others. */
  own: signedIn('urls:read')
    .input(byId)
    .output(shortUrlRecord)
    .query(({ ctx, input }) => ownLink(ctx, input)),

  /** The caller's own links, in an order, as far as a filter leaves them. */
  list: signedIn('urls:read')
    .input(listInput)
    .output(pageOf(shortUrlRecord))
    .query(({ ctx, input }) => listLinks(ctx, input)),

  /** How often bots followed links of the caller, by their full ids; 0 for links of others. */
  bots: signedIn('urls:read')
    .input(z.object({ fullIds: z.array(z.string().max(1_000)).max(1_000) }))
    .output(z.object({ visits: z.array(z.int()) }))
    .query(async ({ ctx, input }) => ({ visits: await botsOfLinks(ctx, input.fullIds) })),

  /** How many links the caller has, and how often all of them were followed, and that by bots. */
  totals: signedIn('urls:read')
    .output(z.object({ links: z.int(), visits: z.int(), bots: z.int() }))
    .query(({ ctx }) => linkTotalsOf(ctx)),

  /** The tags of the caller's links, how many links have them, and how often those were followed. */
  tags: signedIn('urls:read')
    .output(z.array(z.object({ tag: z.string(), links: z.int(), visits: z.int(), bots: z.int() })))
    .query(({ ctx }) => linkTagsOf(ctx)),

  /** All links of the caller with their counts, as CSV or JSON. */
  export: signedIn('urls:read')
    .input(exportInput)
    .output(linesOutput)
    .query(({ ctx, input }) => exportLinks(ctx, input)),

  /** Stores links from CSV or JSON, all or none. */
  import: creator('urls:write', 'creates')
    .input(importInput)
    .output(importResult)
    .mutation(({ ctx, input }) => importLinks(ctx, input)),

  ...presetProcedures,

  /** Whether the caller is told once a week by mail which targets do not answer. */
  digest: signedIn('urls:read')
    .output(digest)
    .query(({ ctx }) => digestOf(ctx)),

  setDigest: signedIn('urls:write')
    .input(digest)
    .output(digest)
    .mutation(({ ctx, input }) => setDigest(ctx, input.weekly)),

  delete: signedIn('urls:write')
    .input(byId.extend(permanentInput))
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const url = await findLink(ctx, input);
      requireAllowed(ctx.account, 'remove', 'url', url);
      await discard(ctx.app, 'url', url, { by: ctx.account, permanent: input.permanent });
      return { uniqueId: slugOf(url.uniqueId) };
    }),
});
