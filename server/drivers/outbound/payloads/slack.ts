import type { WebhookEvent, WebhookTarget } from '../../../../routers/base/ports/outbound.js';
import { clamp, summarise } from './summary.js';

const LIMITS = { title: 300, text: 3000, author: 200 };

/**
 * The body of a call to a Slack-compatible webhook. `<`, `>` and `&` are escaped, so that no text can form a mention
 * or a link.
 */
export function slackPayload(event: WebhookEvent, target: WebhookTarget): string {
  const summary = summarise(event, target.embed);
  const title = escapeText(clamp(summary.title, LIMITS.title));
  return JSON.stringify({
    username: 'Holdall',
    link_names: 0,
    parse: 'none',
    unfurl_links: false,
    attachments: [
      {
        fallback: title,
        title,
        title_link: summary.titleUrl,
        text: summary.description === null ? undefined : escapeText(clamp(summary.description, LIMITS.text)),
        color: summary.color ?? undefined,
        author_name: escapeText(clamp(summary.authorName, LIMITS.author)),
        image_url: summary.imageUrl ?? undefined,
        ts: Math.floor(event.at / 1000),
        mrkdwn_in: [],
      },
    ],
  });
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
