import type { WebhookEvent, WebhookTarget } from '../../../../routers/base/ports/outbound.js';
import { clamp, summarise } from './summary.js';

/** Maximum lengths at Discord; a longer field would make the whole message fail. */
const LIMITS = { title: 256, description: 4096, author: 256, url: 2048 };

/** The body of a Discord webhook call: one embed, with mentions disabled whatever its texts contain. */
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

/** Drops a URL that is too long, because URLs cannot be shortened. */
function within(url: string): string | undefined {
  return url.length > LIMITS.url ? undefined : url;
}
