import { randomUUID } from 'node:crypto';
import type { Image } from '../../../db/content/file/image.js';
import type { Link } from '../../../db/content/link/link.js';
import type { Paste } from '../../../db/content/paste.js';
import { AGE } from '../../base/age.js';
import type { WebhookEvent } from '../../base/ports/outbound.js';
import { isOpen } from '../access.js';
import type { Services } from '../context.js';
import { isInlineSafe } from '../items/file-names.js';
import { rawUrl, webUrl } from '../items/links.js';

/** The item of an event. */
export type EventItem = WebhookEvent['item'];

/** A new event id, by which receivers detect duplicates. */
export const newEventId = (): string => randomUUID();

const NOTHING = { title: null, size: null, filetype: null, imageUrl: null, visits: null, maxUses: null };

/**
 * An image in a webhook event. Receivers post it where people may lack access to the item, so unless it is
 * open to everybody, it has no name; an image with a view limit is not shown.
 */
export function imageItem(app: Services, image: Image): EventItem {
  const open = isOpen(image);
  const shown =
    open && image.maxViews === null && image.mediaKind === 'image' && isInlineSafe(image.mimeType);
  return {
    ...NOTHING,
    kind: 'image',
    uniqueId: image.uniqueId,
    link: webUrl(app, 'image', image.uniqueId),
    title: open ? image.originalName : null,
    size: image.size,
    filetype: image.type,
    imageUrl: shown ? rawUrl(app, 'image', image.uniqueId) : null,
  };
}

/** A file that came in by a request link, with the page that shows it to its owner. */
export const receivedItem = (image: Image, link: string): EventItem => ({
  ...NOTHING,
  kind: 'image',
  uniqueId: image.uniqueId,
  link,
  size: image.size,
  filetype: image.type,
});

/** A paste in a webhook event. */
export const pasteItem = (app: Services, paste: Paste): EventItem => ({
  ...NOTHING,
  kind: 'paste',
  uniqueId: paste.uniqueId,
  link: webUrl(app, 'paste', paste.uniqueId),
  title: isOpen(paste) ? paste.title : null,
  size: paste.size,
  filetype: paste.seal === null ? (paste.language ?? 'txt') : AGE.type,
});

/** What was opened, or a request by which files came in, and how often since the last event; no name of what is not open to everybody. */
export const openedItem = (
  opened: Pick<EventItem, 'kind' | 'uniqueId' | 'link' | 'title'> & {
    readonly times: number;
    readonly label: string | null;
  },
): EventItem => ({ ...NOTHING, ...opened });

/** A mail in a webhook event, with the page that shows it to the owner of its mailbox. */
export const mailItem = (
  link: string,
  mail: {
    readonly messageId: string;
    readonly subject: string;
    readonly size: number;
    readonly codes: readonly string[];
  },
): EventItem => ({
  ...NOTHING,
  kind: 'mail',
  uniqueId: mail.messageId,
  link,
  title: mail.subject,
  size: mail.size,
  codes: mail.codes,
});

/** A short link in a webhook event. */
export const linkItem = (app: Services, url: Link): EventItem => ({
  ...NOTHING,
  kind: 'url',
  uniqueId: url.uniqueId,
  link: webUrl(app, 'url', url.uniqueId),
  title: isOpen(url) ? url.originalUrl : null,
  visits: url.visits,
  maxUses: url.maxUses ?? -1,
});

/** The item of a test event; it does not exist. */
export const sampleItem = (app: Services): EventItem => ({
  ...NOTHING,
  kind: 'image',
  uniqueId: 'TEST',
  link: app.settings.origin,
  title: 'it works',
});
