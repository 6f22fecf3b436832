import { z } from 'zod';
import type { InboundMail, MailStore, StoredNotice } from '../../../routers/base/ports/mail/mail.js';
import { ATTACHMENT_BYTES } from '../../../routers/base/ports/mail/mail.js';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { askProvider, askProviderFor } from '../outbound/provider.js';
import { type MailgunAccount, PROVIDER } from './mailgun.js';
import type { ReadingApart } from './reading/apart.js';

const HOUR_MS = 3_600_000;
/** Entries appear late and out of order; Mailgun recommends an overlap of half an hour. */
const OVERLAP_MS = HOUR_MS / 2;
/** Mailgun deletes stored mail after three days. */
const RETENTION_MS = 72 * HOUR_MS;
/** Mailgun accepts mails up to 25 MB; as JSON they are larger. */
const MESSAGE_BYTES = 40 * 1024 * 1024;
const TRANSFER_MS = 60_000;

/** The fields of its forms. */
const storedMessage = z.looseObject({ recipients: z.string(), 'Message-Id': z.string().nullish() });

/**
 * The mails that Mailgun stores for us. The list comes from the logs API or, if that returns nothing, from the older
 * events API. The key is only sent to Mailgun's own hosts, whatever URL an entry contains.
 */
export function openMailgunStore(
  account: MailgunAccount,
  reading: Pick<ReadingApart, 'mail'>,
  now: () => number = Date.now,
): MailStore {
  const call = (address: string) => ({
    provider: PROVIDER,
    url: requireProviderUrl(account, address),
    method: 'GET' as const,
    headers: { authorization: credentials(account) },
    timeoutMs: TRANSFER_MS,
  });
  return {
    async list(since) {
      const until = now();
      const from = Math.max(since - OVERLAP_MS, until - RETENTION_MS);
      const { listAll } = await import('./mailgun-listing.js');
      return listAll({ account, authorization: credentials(account), from, until });
    },
    fetch: (notice) =>
      unlessDeleted(async () => {
        const request = { ...call(notice.url), maxBytes: MESSAGE_BYTES };
        return readStored(await askProviderFor(storedMessage, request), notice, reading);
      }),
    fetchAttachment: (url) => unlessDeleted(() => askProvider({ ...call(url), maxBytes: ATTACHMENT_BYTES })),
  };
}

/**
 * Checks that the URL of a message or attachment is the provider's: on the configured host, or, for Mailgun's own
 * API, a message of our domain on any of their hosts, because they store by region. Throws `ProviderDown` for any
 * other URL.
 */
export function requireProviderUrl({ url: configured, domain }: MailgunAccount, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  const base = new URL(configured);
  if (url === null || url.username !== '' || !isOwnHost(url, base)) {
    throw new ProviderDown(PROVIDER, 'returned an address that is not its own');
  }
  if (!isMailgun(base)) return url;
  const [, owner] = /^\/v\d\/domains\/([^/]+)\/messages\/[^/]/.exec(url.pathname) ?? [];
  if (owner?.toLowerCase() !== domain.toLowerCase()) {
    throw new ProviderDown(PROVIDER, 'returned an address that is not a stored message of our domain');
  }
  return url;
}

function isOwnHost(url: URL, base: URL): boolean {
  if (url.origin === base.origin) return true;
  return url.protocol === 'https:' && url.port === '' && isMailgun(url) && isMailgun(base);
}

const FAMILY = ['mailgun.net', 'mailgun.org'];
const isMailgun = ({ hostname }: URL): boolean =>
  FAMILY.some((name) => hostname === name || hostname.endsWith(`.${name}`));

function credentials({ apiKey }: MailgunAccount): string {
  return `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}`;
}

/** Null if the provider no longer has the mail. */
async function unlessDeleted<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused && (error.status === 404 || error.status === 410)) return null;
    throw error;
  }
}

async function readStored(
  stored: z.output<typeof storedMessage>,
  notice: StoredNotice,
  reading: Pick<ReadingApart, 'mail'>,
): Promise<InboundMail> {
  const [{ headersIn }, { headerOf }] = await Promise.all([
    import('./reading/field-headers.js'),
    import('./reading/normalise.js'),
  ]);
  const sent = headerOf(headersIn(stored['message-headers']) ?? [], 'message-id');
  const fields = {
    ...stored,
    messageId: stored['Message-Id'] || sent || notice.messageId,
    recipients: [stored.recipients, ...notice.recipients],
  };
  return (await reading.mail({ form: { fields, parts: [] }, stored: true, plain: false })).mail;
}
