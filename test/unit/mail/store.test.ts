import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import type { MailgunAccount } from '../../../server/drivers/mail/mailgun.js';
import { openMailgunStore, requireProviderUrl } from '../../../server/drivers/mail/mailgun-store.js';
import { openReadingApart } from '../../../server/drivers/mail/reading/apart.js';
import type { Mood } from '../../standins/http.js';
import {
  MAILGUN_DOMAIN,
  MAILGUN_KEY,
  type MailgunStandin,
  type StoredMail,
  startMailgun,
} from '../../standins/mailgun.js';

const reading = openReadingApart();

const store = suite<{ mailgun: MailgunStandin; account: MailgunAccount }>('mail stored at Mailgun');
const now = Date.UTC(2026, 4, 6, 12);
const minute = 60_000;

store.before.each(async (context) => {
  context.mailgun = await startMailgun();
  context.account = { apiKey: MAILGUN_KEY, domain: MAILGUN_DOMAIN, url: context.mailgun.url };
});
store.after.each(({ mailgun }) => mailgun.close());

function stored(n: number, agoMs: number, more: Partial<StoredMail> = {}): StoredMail {
  return {
    key: `key${n}`,
    messageId: `m${n}@example.net`,
    recipient: 'Ada@mg.example.org',
    from: 'Bob <bob@example.net>',
    subject: `mail ${n}`,
    text: `text ${n}`,
    storedAt: now - agoMs,
    ...more,
  };
}

for (const listings of [
  { logs: true, events: false },
  { logs: false, events: true },
]) {
  const name = listings.logs ? 'logs' : 'events';

  store(
    `${name}: everything in the time range is listed over all pages, oldest first`,
    async ({ mailgun, account }) => {
      mailgun.listings = listings;
      mailgun.stored.push(...[5, 1, 4, 2, 3].map((n) => stored(n, n * minute)));
      const { notices, coveredUntil } = await openMailgunStore(account, reading, () => now).list(
        now - 10 * minute,
      );
      assert.equal(
        notices.map(({ messageId }) => messageId),
        [5, 4, 3, 2, 1].map((n) => `m${n}@example.net`),
      );
      assert.equal(notices[0]?.recipients, ['ada@mg.example.org']);
      assert.is(notices[0]?.storedAt, now - 5 * minute);
      assert.is(coveredUntil, now);
    },
  );

  store(
    `${name}: time ranges overlap by half an hour and never reach past the retention`,
    async ({ mailgun, account }) => {
      mailgun.listings = listings;
      mailgun.stored.push(
        stored(1, 29 * minute),
        stored(2, 31 * minute),
        stored(3, 71 * 60 * minute),
        stored(4, 73 * 60 * minute),
      );
      const { list } = openMailgunStore(account, reading, () => now);
      assert.equal(
        (await list(now)).notices.map(({ messageId }) => messageId),
        ['m1@example.net'],
      );
      const all = (await list(0)).notices.map(({ messageId }) => messageId);
      assert.equal(all, ['m3@example.net', 'm2@example.net', 'm1@example.net']);
    },
  );

  store(
    `${name}: an endless listing is cut off, and reports how far it got`,
    async ({ mailgun, account }) => {
      mailgun.listings = listings;
      mailgun.pageSize = 1;
      mailgun.stored.push(...Array.from({ length: 60 }, (_, n) => stored(n, (70 - n) * minute)));
      const { notices, coveredUntil } = await openMailgunStore(account, reading, () => now).list(
        now - 80 * minute,
      );
      assert.is(notices.length, 50);
      assert.is(coveredUntil, now - 21 * minute);
    },
  );
}

store(
  'a stored message is read like any inbound mail, attachments on request',
  async ({ mailgun, account }) => {
    const bytes = Buffer.from('picture');
    mailgun.stored.push(stored(1, minute, { attachments: [{ name: 'a.png', type: 'image/png', bytes }] }));
    const { list, fetch, fetchAttachment } = openMailgunStore(account, reading, () => now);
    const [notice] = (await list(now)).notices;
    assert.ok(notice);
    const mail = await fetch(notice);
    assert.is(mail?.messageId, 'm1@example.net');
    assert.equal(mail?.recipients, ['ada@mg.example.org']);
    assert.is(mail?.text, 'text 1');
    assert.is(mail?.date, now - minute);
    const content = mail?.attachments[0]?.content;
    assert.is(content?.kind, 'stored');
    if (content?.kind === 'stored') assert.equal(await fetchAttachment(content.url), bytes);
  },
);

store('a message that was deleted meanwhile is null', async ({ mailgun, account }) => {
  const url = `${mailgun.url}/v3/domains/${MAILGUN_DOMAIN}/messages/gone`;
  const { fetch, fetchAttachment } = openMailgunStore(account, reading);
  assert.is(await fetch({ messageId: 'x', recipients: [], storedAt: 0, url }), null);
  assert.is(await fetchAttachment(`${url}/attachments/0`), null);
});

store("the key is sent to the provider's own hosts only", async ({ mailgun, account }) => {
  const foreign = await startMailgun();
  try {
    mailgun.storageUrl = foreign.url;
    mailgun.stored.push(stored(1, minute));
    const { list, fetch } = openMailgunStore(account, reading, () => now);
    const [notice] = (await list(now)).notices;
    assert.ok(notice);
    await throws(ProviderDown, () => fetch(notice));
    assert.is(foreign.requests.length, 0);
  } finally {
    await foreign.close();
  }
});

store('a message without an id gets that of the listing', async ({ mailgun, account }) => {
  mailgun.stored.push(stored(1, minute, { anonymous: true }));
  const { list, fetch } = openMailgunStore(account, reading, () => now);
  const [notice] = (await list(now)).notices;
  assert.ok(notice);
  assert.is((await fetch(notice))?.messageId, 'm1@example.net');
});

store('regional storage hosts belong to Mailgun, lookalikes and other paths do not', () => {
  const us = { apiKey: 'x', domain: 'mg.example.org', url: 'https://api.mailgun.net' };
  const path = '/v3/domains/mg.example.org/messages/KEY';
  for (const host of ['api.mailgun.net', 'storage-us-east4.api.mailgun.net', 'sw.api.mailgun.org']) {
    assert.is(requireProviderUrl(us, `https://${host}${path}`).hostname, host);
  }
  for (const url of [
    `http://api.mailgun.net${path}`,
    `https://api.mailgun.net:8443${path}`,
    `https://mailgun.net.evil.example${path}`,
    `https://evilmailgun.net${path}`,
    `https://user@api.mailgun.net${path}`,
    `https://api.mailgun.net@evil.example${path}`,
    'https://api.mailgun.net/v3/domains/other.example/messages/KEY',
    'https://api.mailgun.net/v3/mg.example.org/events',
    'https://api.mailgun.net/v3/domains/mg.example.org/messages/../../../keys',
    'no url',
    '',
  ]) {
    assert.throws(
      () => requireProviderUrl(us, url),
      (error: unknown) => error instanceof ProviderDown,
      url,
    );
  }
  const own = { ...us, url: 'https://mail.example' };
  assert.throws(() => requireProviderUrl(own, `https://api.mailgun.net${path}`), /not its own/);
});

store('another server with the same interface may keep its messages at any path', () => {
  const own = { apiKey: 'x', domain: 'mg.example.org', url: 'https://mail.example' };
  assert.is(requireProviderUrl(own, 'https://mail.example/kept/7').pathname, '/kept/7');
  assert.throws(() => requireProviderUrl(own, 'https://mail.example.net/kept/7'), /not its own/);
});

for (const logs of ['empty', 'failing'] as const) {
  store(`logs that are ${logs} do not hide what the events report`, async ({ mailgun, account }) => {
    mailgun.listings = { logs, events: true };
    mailgun.stored.push(stored(1, minute));
    const { notices } = await openMailgunStore(account, reading, () => now).list(now - 10 * minute);
    assert.equal(
      notices.map(({ messageId }) => messageId),
      ['m1@example.net'],
    );
  });
}

store('an empty event list is not trusted while the logs fail', async ({ mailgun, account }) => {
  mailgun.listings = { logs: 'failing', events: true };
  await throws(ProviderDown, () => openMailgunStore(account, reading, () => now).list(now - 10 * minute));
});

store('empty logs are trusted if there are no events', async ({ mailgun, account }) => {
  mailgun.listings = { logs: 'empty', events: false };
  assert.equal((await openMailgunStore(account, reading, () => now).list(0)).notices, []);
});

store(
  'a provider that is down, lies, redirects or floods causes ProviderDown',
  async ({ mailgun, account }) => {
    for (const mood of ['down', 'lie', 'redirect', 'flood'] satisfies Mood[]) {
      mailgun.mood = mood;
      await throws(ProviderDown, () => openMailgunStore(account, reading).list(0));
    }
    await throws(ProviderDown, () =>
      openMailgunStore({ ...account, url: 'http://127.0.0.1:1' }, reading).list(0),
    );
  },
);

store('an account without either listing, or with a wrong key, is refused', async ({ mailgun, account }) => {
  await throws(ProviderRefused, () => openMailgunStore({ ...account, apiKey: 'wrong' }, reading).list(0));
  mailgun.listings = { logs: false, events: false };
  await throws(ProviderRefused, () => openMailgunStore(account, reading).list(0));
});

async function throws(kind: new (...rest: never[]) => Error, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.instance(error, kind);
    assert.not.match((error as Error).message, MAILGUN_KEY);
    return;
  }
  assert.unreachable('must fail');
}

store.run();
