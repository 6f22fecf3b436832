import { z } from 'zod';
import { ProviderDown, ProviderRefused } from '../../routers/ports/chat.js';
import type { InboundMail, MailStore, StoredNotice } from '../../routers/ports/mail.js';
import { askProvider, askProviderFor } from '../outbound/provider.js';
import { headerPairs, storedAttachments } from './inbound-mailgun.js';
import type { MailgunAccount } from './mailgun.js';
import { type Listing, listEvents, listLogs, PROVIDER } from './mailgun-listing.js';
import { normalise } from './normalise.js';

const HOUR_MS = 3_600_000;
/** Entries appear late and out of order; Mailgun advises half an hour. */
const OVERLAP_MS = HOUR_MS / 2;
/** Mailgun deletes stored mail after three days. */
const RETENTION_MS = 72 * HOUR_MS;
/** Mailgun takes mails up to 25 MB; in JSON they grow. */
const MESSAGE_BYTES = 40 * 1024 * 1024;
const ATTACHMENT_BYTES = 32 * 1024 * 1024;
const TRANSFER_MS = 60_000;

const text = z.string().nullish();
const storedMessage = z.object({
  recipients: z.string(),
  sender: text,
  from: text,
  subject: text,
  'Message-Id': text,
  'body-plain': text,
  'body-html': text,
  'message-headers': headerPairs.nullish(),
  attachments: storedAttachments.nullish(),
});

/**
 * What Mailgun still holds for us. The listing comes from the logs API or, where the account lacks that, the
 * older events API. The key goes to no host but Mailgun's own, whatever address an entry names.
 */
export function openMailgunStore(account: MailgunAccount, now: () => number = Date.now): MailStore {
  const call = (address: string) => ({
    provider: PROVIDER,
    url: ownUrl(account, address),
    method: 'GET' as const,
    headers: { authorization: credentials(account) },
    timeoutMs: TRANSFER_MS,
  });
  return {
    async list(since) {
      const until = now();
      const from = Math.max(since - OVERLAP_MS, until - RETENTION_MS);
      const listing: Listing = { account, authorization: credentials(account), from, until };
      try {
        return await listLogs(listing);
      } catch (error) {
        if (error instanceof ProviderRefused) return await listEvents(listing);
        throw error;
      }
    },
    fetch: (notice) =>
      unlessGone(async () => {
        const request = { ...call(notice.url), maxBytes: MESSAGE_BYTES };
        return readStored(await askProviderFor(storedMessage, request), notice);
      }),
    fetchAttachment: (url) => unlessGone(() => askProvider({ ...call(url), maxBytes: ATTACHMENT_BYTES })),
  };
}

/**
 * The address of a message or attachment, provided it lies with the provider: the configured host, or for
 * Mailgun's own API any host of theirs, for they store by region. Throws `ProviderDown` for any other.
 */
export function ownUrl({ url: base, domain }: MailgunAccount, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.username !== '' || !isOwnHost(url, new URL(base))) {
    throw new ProviderDown(PROVIDER, 'named a host that is not its own');
  }
  const [, owner] = /^\/v\d\/domains\/([^/]+)\/messages\/[^/]/.exec(url.pathname) ?? [];
  if (owner?.toLowerCase() !== domain.toLowerCase()) {
    throw new ProviderDown(PROVIDER, 'named something that is no stored message of our domain');
  }
  return url;
}

function isOwnHost(url: URL, base: URL): boolean {
  if (url.origin === base.origin) return true;
  const family = ['mailgun.net', 'mailgun.org'];
  const belongs = ({ hostname }: URL) =>
    family.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return url.protocol === 'https:' && url.port === '' && belongs(url) && belongs(base);
}

function credentials({ apiKey }: MailgunAccount): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`;
}

async function unlessGone<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
}

function readStored(mail: z.output<typeof storedMessage>, notice: StoredNotice): InboundMail {
  const headers = mail['message-headers'] ?? [];
  const header = (name: string) => headers.find(([known]) => known.toLowerCase() === name)?.[1] ?? '';
  return normalise({
    messageId: mail['Message-Id'] || header('message-id') || notice.messageId,
    recipients: [mail.recipients, ...notice.recipients],
    sender: mail.sender ?? '',
    from: mail.from || header('from') || (mail.sender ?? ''),
    to: header('to') || mail.recipients,
    cc: header('cc'),
    subject: mail.subject ?? header('subject'),
    date: header('date'),
    text: mail['body-plain'] ?? '',
    html: mail['body-html'] ?? '',
    headers,
    attachments: mail.attachments ?? [],
  });
}
