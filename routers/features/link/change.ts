import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import { type Link, type LinkRow, previewColumn, shortUrlFromRow } from '../../../db/content/link/link.js';
import { wayColumn, wayFromColumn } from '../../../db/content/link/link-way.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import { localizableOfRule } from '../../base/language/rules.js';
import { domainIdOf, idOnDomain, slugOf } from '../../base/link-domain.js';
import { isReserved } from '../../base/slug.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import type { AccountContext, Services } from '../../core/context.js';
import { changeItem } from '../../core/items/change.js';
import { domainFor, requireElsewhere } from '../../core/items/domains.js';
import { RESERVED_WORD, slugInput } from '../../core/items/ids.js';
import { changedPasswordInput } from '../../core/items/item-password.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { tagsInput } from '../../core/items/tags.js';
import { requireAllowed } from '../../core/policies.js';
import { notifyInput } from '../../core/telling/input.js';
import { linkItem } from '../../core/webhook/events.js';
import { changedMaxUsesInput, linkExtras, previewOf } from './fields.js';
import { domainField, findLink, linkId } from './find.js';
import { type LinkRecord, toShortUrlRecord } from './record.js';
import { readTarget } from './target.js';
import { changedWay, targetsOf, wayFields } from './way-input.js';

/** The fields of a link that its owner can change; absent ones stay, null and "" clear. */
export const linkChangeInput = z.object({
  ...linkId,
  ifMatch: ifMatchInput,
  newId: slugInput,
  url: z.string().optional(),
  maxUses: changedMaxUsesInput,
  expiresAt: changedExpiryInput,
  password: changedPasswordInput.optional(),
  private: z.boolean().nullish(),
  tags: tagsInput.optional(),
  favourite: z.boolean().nullish(),
  notify: notifyInput,
  ...linkExtras,
  ...wayFields,
  /** The host that it moves to; null and "" for the installation. */
  domain: domainField,
});
type LinkChange = z.output<typeof linkChangeInput>;

/** Changes a link of the caller and returns its record. Its visits and statistics stay. */
export async function changeLink(
  ctx: AccountContext,
  { uniqueId, host, newId, domain, url, maxUses, forwardQuery, note, preview, ...more }: LinkChange,
): Promise<LinkRecord> {
  const { app, account } = ctx;
  const { rules, split, fallbackUrl, startsAt, forwardPath, ...common } = more;
  const given = { rules, split, fallbackUrl, startsAt, forwardPath };
  const link = await findLink(ctx, { uniqueId, host });
  requireAllowed(ctx.account, 'change', 'url', link);
  // One that came with an import stays what it is.
  if (newId !== null && isReserved(newId) && lookupId(newId) !== lookupId(slugOf(link.uniqueId)))
    fail(
      'INVALID',
      localizable('{field}: {why}', { field: 'uniqueId', why: localizableOfRule(RESERVED_WORD) }),
    );
  // Before the row is locked: a target may be none.
  const way = changedWay(link.way, given, app.settings);
  const target = url === undefined ? undefined : readTarget(url, app.settings);
  await requireElsewhere(app, targetsOf(target ?? link.originalUrl, way));
  const to = await idAfter(app, link, { newId, domain });
  const shown = preview === undefined ? undefined : previewColumn(await previewOf(app, account.id, preview));
  const changed = await changeItem<LinkRow, Link>(
    ctx,
    link,
    { ...common, uniqueId: to },
    {
      kind: 'url',
      event: 'url.updated',
      fromRow: shortUrlFromRow,
      eventItem: linkItem,
      own: (row) => ({
        original_url: target,
        max_uses: maxUses,
        forward_query: forwardQuery ?? undefined,
        note,
        preview: shown,
        way: wayColumn(changedWay(wayFromColumn(row.way), given, app.settings)),
      }),
    },
  );
  return toShortUrlRecord(app, changed, { access: true, own: true });
}

/** The id of a link under another slug, or on another host; null if neither changes. */
async function idAfter(
  app: Services,
  link: Link,
  { newId, domain }: Pick<LinkChange, 'newId' | 'domain'>,
): Promise<string | null> {
  if (newId === null && domain === undefined) return null;
  const now = domainIdOf(link.uniqueId);
  const on =
    domain === undefined ? (now === null ? null : { id: now }) : await domainFor(app, link.ownerId, domain);
  return idOnDomain(on, newId ?? slugOf(link.uniqueId));
}
