import type { WebhookEvent, WebhookTarget } from '../../../routers/ports/outbound.js';
import { clamp, summarise } from './summary.js';

/** Lengths Discord accepts; a longer field would fail the whole message. */
const LIMITS = { title: 256, description: 4096, author: 256, url: 2048 };

/** The body of a Discord webhook call: one embed, which mentions nobody whatever its texts say. */
export function discordPayload(event: WebhookEvent, target: WebhookTarget): string {
  const summary = summarise(event, target.embed);
  return JSON.stringify({
    username: 'Holdall',
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: clamp(summary.title, LIMITS.title),
        url: within(summary.titleUrl),
        description:
          summary.description === null ? undefined : clamp(summary.description, LIMITS.description),
        color: summary.color === null ? undefined : Number.parseInt(summary.color.slice(1), 16),
        author: { name: clamp(summary.authorName, LIMITS.author), icon_url: within(event.uploader.avatar) },
        image: summary.imageUrl === null ? undefined : { url: within(summary.imageUrl) },
        timestamp: new Date(event.at).toISOString(),
      },
    ],
  });
}

/** A URL cannot be cut, so one that is too long is left out. */
function within(url: string): string | undefined {
  return url.length > LIMITS.url ? undefined : url;
}
