import { type Embed, type EmbedValues, renderEmbed } from '../../../../routers/base/embed.js';
import { KIND_NAMES } from '../../../../routers/base/kinds.js';
import {
  OTHER_EVENTS,
  type WebhookEvent,
  type WebhookTarget,
} from '../../../../routers/base/ports/outbound.js';
import { cutText } from '../../../../routers/base/text/cut.js';

const HEADLINES: Readonly<Record<string, string>> = Object.assign(
  { 'webhook.test': 'Webhook test', ...OTHER_EVENTS },
  ...Object.values(KIND_NAMES).map(({ events }) => events),
);

/** The text of a chat message: the owner's own texts if set, defaults otherwise. */
interface Summary {
  readonly title: string;
  readonly titleUrl: string;
  readonly description: string | null;
  readonly color: string | null;
  readonly authorName: string;
  readonly imageUrl: string | null;
}

/** Applies the owner's embed settings to an event; the same for every chat format. */
export function summarise(event: WebhookEvent, settings: WebhookTarget['embed']): Summary {
  const values: EmbedValues = {
    uid: event.item.uniqueId,
    size: event.item.size,
    filetype: event.item.filetype,
    uploader: event.uploader.username,
    username: event.uploader.username,
    url: event.item.link,
  };
  const embed: Partial<Embed> = renderEmbed(settings, values) ?? {};
  return {
    title: embed.title ?? `${HEADLINES[event.type]}: ${nameOf(event)}`,
    titleUrl: embed.titleUrl ?? event.item.link,
    description: embed.description ?? null,
    color: embed.color ?? null,
    authorName: embed.authorName ?? event.uploader.username,
    imageUrl: event.type === 'image.created' ? event.item.imageUrl : null,
  };
}

/** The item, for openings by their share link, and with their number. */
function nameOf({ item: { label, title, uniqueId, times = 1 } }: WebhookEvent): string {
  const name = label ?? title ?? uniqueId;
  return times > 1 ? `${name} (${times} times)` : name;
}

/** Cuts a text to at most `length` UTF-16 units, never inside a character; an ellipsis marks the cut. */
export function clamp(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${cutText(text, length - 1)}…`;
}
