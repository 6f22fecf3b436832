import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { type Content, lookupId } from '../../../db/content/content.js';
import { shortIdHolders } from '../../../db/content/short-ids.js';
import { KIND_NAMES, type Kind } from '../../base/kinds.js';
import { slugOf } from '../../base/link-domain.js';
import { inPath } from '../../base/slug.js';
import type { Services } from '../context.js';
import { hostOfLink } from './domains.js';
import { hostIn, kindsAt } from './short-hosts.js';

/** The URLs of an item (contract §3, URL set). */
export const urlSet = z.object({
  webUrl: z.url(),
  portalUrl: z.url(),
  rawUrl: z.url(),
  shortUrl: z.url(),
  customUrl: z.url(),
  /** The bytes of a file at an address that ends in its extension; null for other kinds. */
  directUrl: z.url().nullable(),
  deleteUrl: z.url(),
  /** Only in responses to the creator: opens a confirmation page that deletes the item. */
  deletionUrl: z.url().optional(),
  posterUrl: z.url().nullable(),
  userPreference: z.url().nullable(),
});
export type UrlSet = z.output<typeof urlSet>;

/** The URL of an item's page. */
export const webUrl = (app: Services, kind: Kind, uniqueId: string): string =>
  `${app.settings.origin}/web/${kind}-render/${inPath(uniqueId)}`;

/** The URL of the content itself. */
export function rawUrl(app: Services, kind: Kind, uniqueId: string): string {
  const { path, query } = KIND_NAMES[kind].raw;
  return `${app.settings.baseUrl}${path}${inPath(uniqueId)}${query}`;
}

/** The short URL, or the page if an older item of another kind uses that URL. */
async function shortUrl(app: Services, kind: Kind, item: Content, page: string): Promise<string> {
  const base = app.settings.shortUrls[kind];
  const host = await hostOfLink(app, item.uniqueId);
  if (host !== null) {
    const { protocol } = new URL(base ?? app.settings.origin);
    return `${protocol}//${host}/${inPath(slugOf(item.uniqueId))}`;
  }
  if (item.shadowed) {
    const kinds = kindsAt(app.settings, base === null ? null : hostIn(base));
    const holders = await shortIdHolders(app.db, app.db.read, [lookupId(item.uniqueId)], Date.now());
    const first = holders.find((holder) => holder.quarantine === null && kinds.includes(holder.kind));
    if (first !== undefined && first.kind !== kind) return page;
  }
  return `${base ?? `${app.settings.origin}/r`}/${inPath(item.uniqueId)}`;
}

/** The signed text of a secret deletion link; the row id distinguishes a later item with the same id. */
const deletionSubject = (kind: Kind, item: Content): string => `delete:${kind}:${item.id}:${item.createdAt}`;

/** The link that opens the deletion page of an item, for its creator. */
function deletionUrl(app: Services, kind: Kind, item: Content): string {
  const token = app.secrets.sign(deletionSubject(kind, item));
  return `${app.settings.origin}/web/delete/${kind}/${encodeURIComponent(item.uniqueId)}?token=${token}`;
}

/** Whether the token belongs to the item. */
export const isDeletionToken = (app: Services, kind: Kind, item: Content, token: string): boolean =>
  app.secrets.verifySignature(deletionSubject(kind, item), token);

/** Builds the URL set of an item; `creator` adds the deletion link. */
export async function urlSetOf(
  app: Services,
  kind: Kind,
  item: Content,
  owner: User,
  options: {
    readonly hasPoster?: boolean;
    readonly creator?: boolean;
    readonly burn?: boolean;
    /** The extension of a file. */
    readonly type?: string | null;
    /** Few browsers show the format: `customUrl` is that of a JPEG. */
    readonly asJpeg?: boolean;
  } = {},
): Promise<UrlSet> {
  const page = webUrl(app, kind, item.uniqueId);
  const raw = rawUrl(app, kind, item.uniqueId);
  const { frontendUrl, baseUrl } = app.settings;
  const {
    portal: { path, shows },
    raw: { hasExtension },
  } = KIND_NAMES[kind];
  const byPortal = frontendUrl !== null && shows(item, options.burn === true);
  const portal = byPortal ? `${frontendUrl}/${path}/${encodeURIComponent(item.uniqueId)}` : page;
  const short = await shortUrl(app, kind, item, page);
  const preferences: Readonly<Record<string, string>> = { PORTAL: portal, SHORT: short, RAW: raw };
  return {
    webUrl: page,
    portalUrl: portal,
    rawUrl: raw,
    shortUrl: short,
    customUrl: options.asJpeg === true ? `${raw}?format=jpeg` : raw,
    directUrl: hasExtension && options.type != null ? `${raw}.${options.type}` : null,
    deleteUrl: `${baseUrl}/${kind}/get/${encodeURIComponent(item.uniqueId)}`,
    posterUrl: options.hasPoster === true ? `${baseUrl}/image/get/poster/${item.uniqueId}` : null,
    userPreference: preferences[owner.urlSettings[kind] ?? ''] ?? null,
    ...(options.creator === true ? { deletionUrl: deletionUrl(app, kind, item) } : {}),
  };
}
