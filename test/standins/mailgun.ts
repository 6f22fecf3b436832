import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Mood, misbehave, type Received, reply, type Standin, serve } from './http.js';

/** A mail that the stand-in stores for collection. */
export interface StoredMail {
  readonly key: string;
  readonly messageId: string;
  readonly recipient: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly storedAt: number;
  /** The stored message does not contain its id; the listings do. */
  readonly anonymous?: boolean;
  readonly attachments?: readonly { name: string; type: string; bytes: Buffer }[];
}

/** Mailgun's API: sending, logs, events and stored messages of one domain. */
export interface MailgunStandin extends Standin {
  mood: Mood;
  /** The listing APIs that this account may use; the others answer 404, or as `logs` says. */
  listings: { logs: boolean | 'empty' | 'failing'; events: boolean };
  /** The status of the next sends; 200 accepts the mail. */
  sendStatus: number;
  /** How many of the next files it does not hand out. */
  heldBack: number;
  /** Accepted mails, as the fields that were posted. */
  readonly sent: FormData[];
  readonly stored: StoredMail[];
  /** Entries per page of a listing. */
  pageSize: number;
  /** Where the storage URLs point; a test may name a foreign host. */
  storageUrl: string;
}

export const MAILGUN_KEY = 'key-canary-mailgun';
export const MAILGUN_DOMAIN = 'mg.example.org';
export const MAILGUN_SIGNING_KEY = 'signing-canary';

/** Starts the stand-in with `MAILGUN_KEY` and `MAILGUN_DOMAIN`. */
export async function startMailgun(): Promise<MailgunStandin> {
  const standin = await serve((request, response) => {
    if (misbehave(mailgun.mood, response)) return;
    const basic = `Basic ${Buffer.from(`api:${MAILGUN_KEY}`).toString('base64')}`;
    if (request.headers.authorization !== basic) return reply(response, 401, { message: 'Forbidden' });
    const path = request.url.pathname;
    if (path === `/v3/${MAILGUN_DOMAIN}/messages`) return send(mailgun, request, response);
    if (path === '/v1/analytics/logs' && mailgun.listings.logs) {
      if (mailgun.listings.logs === 'failing') return reply(response, 500, { message: 'Internal error' });
      if (mailgun.listings.logs === 'empty') return reply(response, 200, { items: [] });
      return logs(mailgun, request, response);
    }
    if (path.startsWith(`/v3/${MAILGUN_DOMAIN}/events`) && mailgun.listings.events) {
      return events(mailgun, request, response);
    }
    return message(mailgun, path, response);
  });
  const mailgun: MailgunStandin = {
    ...standin,
    mood: 'well',
    listings: { logs: true, events: true },
    sendStatus: 200,
    heldBack: 0,
    sent: [],
    stored: [],
    pageSize: 2,
    storageUrl: standin.url,
  };
  return mailgun;
}

/** The three fields that authenticate a route's call, as Mailgun signs them. */
export function signRoute(
  timestamp = Math.floor(Date.now() / 1000),
  key = MAILGUN_SIGNING_KEY,
  token = randomBytes(25).toString('hex'),
) {
  const signature = createHmac('sha256', key).update(`${timestamp}${token}`).digest('hex');
  return { timestamp: String(timestamp), token, signature };
}

async function send(mailgun: MailgunStandin, request: Received, response: ServerResponse): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  const fields = await new Response(new Uint8Array(request.body), {
    headers: { 'content-type': type },
  }).formData();
  if (mailgun.sendStatus !== 200)
    return reply(response, mailgun.sendStatus, { message: 'to is not a valid address' });
  mailgun.sent.push(fields);
  reply(response, 200, { id: `<${randomBytes(8).toString('hex')}@${MAILGUN_DOMAIN}>`, message: 'Queued.' });
}

function within(mailgun: MailgunStandin, from: number, to: number): StoredMail[] {
  return mailgun.stored
    .filter(({ storedAt }) => storedAt >= from && storedAt <= to)
    .sort((a, b) => a.storedAt - b.storedAt);
}

function entry(mailgun: MailgunStandin, mail: StoredMail) {
  return {
    event: 'stored',
    id: mail.key,
    message: {
      headers: { 'message-id': mail.messageId, from: mail.from, to: mail.recipient, subject: mail.subject },
      recipients: [mail.recipient],
    },
    storage: {
      key: mail.key,
      url: `${mailgun.storageUrl}/v3/domains/${MAILGUN_DOMAIN}/messages/${mail.key}`,
    },
  };
}

function logs(mailgun: MailgunStandin, request: Received, response: ServerResponse): void {
  const query = JSON.parse(request.body.toString('utf8'));
  const found = within(mailgun, Date.parse(query.start), Date.parse(query.end) + 999);
  const at = Number(query.pagination?.token ?? 0);
  const page = found.slice(at, at + mailgun.pageSize);
  const next = at + mailgun.pageSize < found.length ? { next: String(at + mailgun.pageSize) } : {};
  const items = page.map((mail) => {
    const { storage, ...rest } = entry(mailgun, mail);
    return {
      ...rest,
      '@timestamp': new Date(mail.storedAt).toISOString(),
      recipient: mail.recipient,
      storage: { ...storage, url: [storage.url] },
    };
  });
  reply(response, 200, {
    start: query.start,
    end: query.end,
    items,
    pagination: { ...next, total: found.length },
  });
}

function events(mailgun: MailgunStandin, request: Received, response: ServerResponse): void {
  const page = /\/events\/(\d+)-(\d+)-(\d+)$/.exec(request.url.pathname);
  const query = request.url.searchParams;
  const begin = Number(page?.[1] ?? query.get('begin'));
  const end = Number(page?.[2] ?? query.get('end'));
  const at = Number(page?.[3] ?? 0);
  const items = within(mailgun, begin * 1000, end * 1000 + 999)
    .slice(at, at + mailgun.pageSize)
    .map((mail) => ({ ...entry(mailgun, mail), timestamp: mail.storedAt / 1000 }));
  const next = `${mailgun.url}/v3/${MAILGUN_DOMAIN}/events/${begin}-${end}-${at + items.length}`;
  // Other servers with this interface omit the link to the next page on an empty one.
  reply(response, 200, items.length === 0 ? { items } : { items, paging: { next, previous: next } });
}

function message(mailgun: MailgunStandin, path: string, response: ServerResponse): void {
  const [, key, attachment] = /\/messages\/([^/]+)(?:\/attachments\/(\d+))?$/.exec(path) ?? [];
  const mail = mailgun.stored.find((stored) => stored.key === key);
  if (mail === undefined) {
    reply(response, 404, { message: 'Message not found' });
    return;
  }
  const files = mail.attachments ?? [];
  if (attachment !== undefined && mailgun.heldBack > 0) {
    mailgun.heldBack -= 1;
    reply(response, 503, { message: 'Try again later' });
    return;
  }
  if (attachment !== undefined) {
    response.end(files[Number(attachment)]?.bytes);
    return;
  }
  reply(response, 200, {
    recipients: mail.recipient,
    sender: 'bounce@example.net',
    from: mail.from,
    subject: mail.subject,
    ...(mail.anonymous ? {} : { 'Message-Id': `<${mail.messageId}>` }),
    'body-plain': mail.text,
    'message-headers': [
      ['From', mail.from],
      ['To', mail.recipient],
      ...(mail.anonymous ? [] : [['Message-Id', `<${mail.messageId}>`]]),
      ['Date', new Date(mail.storedAt).toUTCString()],
    ],
    attachments: files.map(({ name, type, bytes }, index) => ({
      name,
      'content-type': type,
      size: bytes.length,
      url: `${mailgun.storageUrl}/v3/domains/${MAILGUN_DOMAIN}/messages/${mail.key}/attachments/${index}`,
    })),
  });
}
