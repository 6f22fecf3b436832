/** What notification servers are sent, each in the form that its documentation describes. */
import type { WebhookEvent, WebhookTarget } from '../../../../routers/base/ports/outbound.js';
import type { WebhookMessage } from '../webhook.js';
import { clamp, summarise } from './summary.js';

const LIMITS = { title: 200, text: 2_000 };

/** A title, a text that is never empty, and where it leads. */
function wordsOf(event: WebhookEvent, { embed }: WebhookTarget) {
  const { title, titleUrl, description } = summarise(event, embed);
  return {
    title: clamp(title, LIMITS.title),
    text: clamp(description || (event.item.label ?? event.item.title) || title, LIMITS.text),
    // The text of an owner may be no address.
    link: URL.canParse(titleUrl) ? new URL(titleUrl).href : event.item.link,
  };
}

/** The header with the secret as a token; none without a secret, or for one that no header can have. */
const tokenOf = (
  { secret }: WebhookTarget,
  header: (token: string) => Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  secret !== null && /^[\x21-\x7e]+$/.test(secret) ? header(secret) : {};

/** To a topic of ntfy: the text, and headers, which take other than ASCII characters encoded only. */
export function ntfyMessage(event: WebhookEvent, target: WebhookTarget): WebhookMessage {
  const { title, text, link } = wordsOf(event, target);
  return {
    body: text,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      title: `=?UTF-8?B?${Buffer.from(title).toString('base64')}?=`,
      click: link,
      ...tokenOf(target, (token) => ({ authorization: `Bearer ${token}` })),
    },
  };
}

/** To `/message` of Gotify; the secret is the token of the application, where the address has none. */
export function gotifyMessage(event: WebhookEvent, target: WebhookTarget): WebhookMessage {
  const { title, text, link } = wordsOf(event, target);
  const extras = { 'client::notification': { click: { url: link } } };
  return {
    body: JSON.stringify({ title, message: text, priority: 5, extras }),
    headers: tokenOf(target, (token) => ({ 'x-gotify-key': token })),
  };
}

/** To `/notify/{key}` of Apprise. */
export function appriseMessage(event: WebhookEvent, target: WebhookTarget): WebhookMessage {
  const { title, text, link } = wordsOf(event, target);
  return { body: JSON.stringify({ title, body: `${text}\n${link}`, type: 'info', format: 'text' }) };
}
