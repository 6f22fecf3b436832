import { z } from 'zod';
import type { StoredNotice } from '../../../routers/base/ports/mail/mail.js';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { askProviderFor } from '../outbound/provider.js';
import { type MailgunAccount, PROVIDER } from './mailgun.js';
import { addresses, bareMessageId } from './reading/normalise.js';

/** What to list: entries between two times in epoch milliseconds. */
interface Listing {
  readonly account: MailgunAccount;
  readonly authorization: string;
  readonly from: number;
  readonly until: number;
}

/** The entries found, oldest first, and the time up to which the listing is complete. */
interface Listed {
  readonly notices: readonly StoredNotice[];
  readonly coveredUntil: number;
}

const MAX_PAGES = 50;
const PAGE_SIZE = 100;

const shared = {
  message: z.object({
    headers: z.object({ 'message-id': z.string().default('') }),
    recipients: z.array(z.string()).default([]),
  }),
  recipient: z.string().default(''),
  storage: z
    .object({ url: z.union([z.string(), z.array(z.string()).transform((list) => list[0] ?? '')]) })
    .nullish(),
};
const logsPage = z.object({
  items: z.array(z.object({ '@timestamp': z.string().transform(Date.parse), ...shared })).nullable(),
  pagination: z.object({ next: z.string().optional() }).nullish(),
});
const eventsPage = z.object({
  items: z.array(z.object({ timestamp: z.number().transform((seconds) => seconds * 1000), ...shared })),
  paging: z.object({ next: z.string().optional() }).nullish(),
});

/** Lists with the logs API. */
async function listLogs(listing: Listing): Promise<Listed> {
  const { account, authorization } = listing;
  return gather(listing, async (token) => {
    const query = {
      start: mailDate(listing.from),
      end: mailDate(listing.until),
      events: ['stored'],
      filter: {
        AND: [
          {
            attribute: 'domain',
            comparator: '=',
            values: [{ label: account.domain, value: account.domain }],
          },
        ],
      },
      pagination: { sort: 'timestamp:asc', limit: PAGE_SIZE, ...(token === null ? {} : { token }) },
    };
    const page = await askProviderFor(logsPage, {
      provider: PROVIDER,
      url: new URL('/v1/analytics/logs', account.url),
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(query),
    });
    const found = (page.items ?? []).map((item) => notice(item, item['@timestamp']));
    return { found, next: page.pagination?.next || null };
  });
}

/** Lists with the events API, which always returns a next page and ends with an empty one. */
async function listEvents(listing: Listing): Promise<Listed> {
  const { account, authorization } = listing;
  const first = new URL(`/v3/${encodeURIComponent(account.domain)}/events`, account.url);
  const begin = String(Math.floor(listing.from / 1000));
  const end = String(Math.ceil(listing.until / 1000));
  first.search = new URLSearchParams({
    event: 'stored',
    begin,
    end,
    ascending: 'yes',
    limit: String(PAGE_SIZE),
  }).toString();
  return gather(listing, async (next) => {
    const url = next === null ? first : nextPage(next, first);
    const page = await askProviderFor(eventsPage, {
      provider: PROVIDER,
      url,
      method: 'GET',
      headers: { authorization },
    });
    const found = page.items.map((item) => notice(item, item.timestamp));
    return { found, next: found.length === 0 ? null : page.paging?.next || null };
  });
}

/** Checks the next page's URL, because requests to it carry the API key. */
function nextPage(address: string, first: URL): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.origin === first.origin && `${url.pathname}/`.startsWith(`${first.pathname}/`)) return url;
  throw new ProviderDown(PROVIDER, 'returned a next page that is not its own');
}

type Entry = z.output<z.ZodObject<typeof shared>>;
type Page = { found: readonly (StoredNotice | null)[]; next: string | null };

/** Reads the pages. After the last allowed page, the listing is only complete up to its newest entry. */
async function gather(listing: Listing, turn: (next: string | null) => Promise<Page>): Promise<Listed> {
  const notices: StoredNotice[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page: Page = await turn(next);
    notices.push(...page.found.filter((entry) => entry !== null));
    next = page.next;
    if (next === null) break;
  }
  notices.sort((a, b) => a.storedAt - b.storedAt);
  const newest = notices.at(-1)?.storedAt ?? listing.from;
  return { notices, coveredUntil: next === null ? listing.until : newest };
}

/** Null for entries with nothing to collect. */
function notice(entry: Entry, storedAt: number): StoredNotice | null {
  const url = entry.storage?.url ?? '';
  const messageId = bareMessageId(entry.message.headers['message-id']);
  if (url === '' || messageId === null || Number.isNaN(storedAt)) return null;
  const recipients = [entry.recipient, ...entry.message.recipients].flatMap(addresses);
  return {
    messageId,
    recipients: [...new Set(recipients)],
    storedAt,
    url,
  };
}

/** RFC 2822, as the logs API requires. */
function mailDate(time: number): string {
  return new Date(time).toUTCString().replace('GMT', '-0000');
}

/**
 * Lists with the logs API, which not every account has, and with the events API if that returns nothing. If the logs
 * API is down, an empty events list proves nothing, so the same period has to be listed again.
 */
export async function listAll(listing: Listing): Promise<Listed> {
  const [logs] = await Promise.allSettled([listLogs(listing)]);
  if (logs.status === 'fulfilled') {
    if (logs.value.notices.length > 0) return logs.value;
    return listEvents(listing).catch(() => logs.value);
  }
  if (logs.reason instanceof ProviderRefused) return listEvents(listing);
  const events = await listEvents(listing).catch(() => null);
  if (events === null || events.notices.length === 0) throw logs.reason;
  return events;
}
