import {
  type FileFetcher,
  OutboundRefused,
  type WebhookEvent,
  type WebhookFormat,
  type Webhooks,
  type WebhookTarget,
} from '../../../routers/base/ports/outbound.js';
import { checkName, parseAllowList } from './addresses.js';
import { fetchFile } from './fetch-file.js';
import type { OutboundOptions } from './options.js';
import { discordPayload } from './payloads/discord.js';
import { jsonPayload, signPayload } from './payloads/json.js';
import { appriseMessage, gotifyMessage, ntfyMessage } from './payloads/push.js';
import { slackPayload } from './payloads/slack.js';
import { postWebhook, readWebhookUrl, type WebhookMessage } from './webhook.js';

/** Opens the caller of user-given webhooks. Throws if `OUTBOUND_ALLOW` contains an invalid entry. */
export function openWebhooks({ outboundAllow }: OutboundOptions): Webhooks {
  const allow = parseAllowList(outboundAllow);
  return {
    async refusal(text) {
      try {
        const { protocol, hostname } = readWebhookUrl(text, allow);
        // With https, a name may resolve to any public address, also later; http is only for the allow list.
        if (protocol === 'http:') await checkName(hostname, allow);
        return null;
      } catch (error) {
        if (error instanceof OutboundRefused) return error.message;
        throw error;
      }
    },
    deliver: (target, event) => postWebhook(target.url, compose(target, event), { allow }),
  };
}

/** Opens the fetcher of files from user-given addresses. Throws if `OUTBOUND_ALLOW` contains an invalid entry. */
export function openFileFetcher({ outboundAllow }: OutboundOptions): FileFetcher {
  const allow = parseAllowList(outboundAllow);
  return { fetch: (url, signal, use) => fetchFile(url, { allow, signal }, use) };
}

/** The formats of notification servers. */
const PUSH: Partial<Record<WebhookFormat, typeof ntfyMessage>> = {
  ntfy: ntfyMessage,
  gotify: gotifyMessage,
  apprise: appriseMessage,
};

function compose(target: WebhookTarget, event: WebhookEvent): WebhookMessage {
  if (target.format === 'discord') return { body: discordPayload(event, target) };
  if (target.format === 'slack') return { body: slackPayload(event, target) };
  const push = PUSH[target.format];
  if (push !== undefined) return push(event, target);
  const body = jsonPayload(event);
  const headers = { 'x-holdall-event': event.type, 'x-holdall-delivery': event.id };
  if (target.secret === null) return { body, headers };
  return {
    body,
    headers: { ...headers, 'x-holdall-signature': signPayload(body, target.secret, Date.now()) },
  };
}
