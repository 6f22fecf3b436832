import * as assert from 'uvu/assert';
import type { TestServer } from '../../harness.js';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const token = 'a-worker-token-of-enough-length';

const { check, run } = pageSuite('mail', { EMAIL_INBOUND_TOKEN: token, PUBLIC_MAIL: 'proof-of-work' });

async function arrive(server: TestServer, to: string, message: Record<string, unknown>): Promise<void> {
  const { status, text } = await server.request('POST', '/email/inbound', {
    headers: { 'x-email-token': token },
    json: {
      messageId: `<${Math.random()}@example.org>`,
      from: 'Shop <shop@example.org>',
      to: [to],
      recipient: to,
      envelope: { from: 'shop@example.org', to },
      subject: 'Your order',
      text: 'It is on its way.',
      ...message,
    },
  });
  assert.is(status, 200, text);
}

for (const javaScriptEnabled of [true, false]) {
  check(
    `a mailbox is created, read and ended ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    async (place) => {
      const { server, browser, account } = place;
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, account);
      await page.goto('/web/mailboxes');
      await page.getByLabel('Expires after').selectOption('24h');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL((url) => /\/web\/mailboxes\/.+/.test(url.pathname));
      const address = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
      await arrive(server, address, {});
      if (!javaScriptEnabled) await page.reload();
      await page.getByRole('link', { name: 'Your order' }).click();
      await page.locator('.opened').getByText('It is on its way.').waitFor();
      await page.getByText('Delete the message', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, delete the message' }).click();
      await page.getByText('No messages yet').waitFor();
      assert.is(await page.getByLabel('Address', { exact: true }).inputValue(), address);
      await page.locator('main').getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByRole('button', { name: 'Reopen' }).waitFor();
      await page.getByRole('link', { name: 'Messages' }).click();
      await page.getByText('none can arrive while the mailbox is suspended').waitFor();
      assert.is(await page.getByText('appears here automatically').count(), 0);
      await page.locator('main').getByRole('link', { name: 'Settings' }).click();
      await page.getByText('Delete the mailbox', { exact: true }).click();
      await page.getByRole('button', { name: 'Yes, delete the mailbox' }).click();
      await page.getByText('No mailboxes yet').waitFor();
      assert.equal(faults, []);
      await close();
    },
  );
}

check('a visitor makes a mailbox without an account and reads what arrives', async (place) => {
  const { server } = place;
  await eachShape(place, null, async (page) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Temporary mailbox' }).click();
    await assertSound(page);
    await page.getByRole('button', { name: 'Create a mailbox' }).click();
    // The browser first does the work that the server asks for.
    await page.waitForURL((url) => /\/web\/mailboxes\/.+/.test(url.pathname));
    const address = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
    await page.getByText('No messages yet').waitFor();
    await arrive(server, address, {});
    await page.getByRole('link', { name: 'Your order' }).click();
    await page.locator('.opened').getByText('It is on its way.').waitFor();
    await assertSound(page);
    await page.getByText('Delete the message', { exact: true }).click();
    await page.getByRole('button', { name: 'Yes, delete the message' }).click();
    await page.getByText('No messages yet').waitFor();
    await assertSound(page);
    await page.locator('main').getByRole('link', { name: 'Settings' }).click();
    await assertSound(page);
    assert.is(await page.getByRole('button', { name: 'Suspend' }).count(), 0);
    await page.getByText('Delete the mailbox', { exact: true }).click();
    await page.getByRole('button', { name: 'Yes, delete the mailbox' }).click();
    await page.getByText('Deleted.').waitFor();
  });
});

check('what became of an answer is shown with the message, on its report and in the list', async (place) => {
  const { server, account } = place;
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const box: string = made.body.message.email;
  await arrive(server, box, { messageId: '<asked@example.org>', subject: 'A question' });
  const answer = await server.request('POST', `/email/${box}/reply`, {
    key: account.key,
    json: { messageId: 'asked@example.org', text: 'An answer' },
  });
  await server.app.services.jobs.settle();
  const report = [
    'From: MAILER-DAEMON@example.org',
    'Subject: Undelivered Mail Returned to Sender',
    'Message-ID: <returned@example.org>',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    ...['', '--b', '', 'It did not arrive.', '--b', 'Content-Type: message/delivery-status', ''],
    ...['Final-Recipient: rfc822; shop@example.org', 'Action: failed', 'Status: 5.1.1'],
    'Diagnostic-Code: smtp; 550 5.1.1 No such user here',
    ...[
      '--b',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: <${answer.body.messageId}>`,
      '--b--',
      '',
    ],
  ].join('\r\n');
  await server.request('POST', '/email/inbound', {
    headers: { 'x-email-token': token },
    json: { from: '', to: box, envelope: { from: '', to: box }, raw: report },
  });
  await eachShape(place, account, async (page) => {
    await page.goto('/web/mailboxes');
    await page.getByRole('link', { name: 'Sent mail' }).click();
    await page.getByText('550 5.1.1 No such user here').waitFor();
    await assertSound(page);
    await page.getByRole('link', { name: 'Report' }).click();
    await page.locator('.opened').getByText('It did not arrive.').waitFor();
    await assertSound(page);
    await page.getByRole('link', { name: 'Re: A question' }).click();
    await page.getByRole('heading', { name: 'A question', level: 1 }).waitFor();
    await page.locator('.opened').getByText('550 5.1.1 No such user here').waitFor();
    await page.getByRole('link', { name: /Original message/ }).waitFor();
    await assertSound(page);
    await page.goto('/web/sent-mail?state=DELIVERED');
    await page.getByText('Nothing matches').waitFor();
  });
});

check('every message can be reached, however many there are', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, account);
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const address: string = made.body.message.email;
  for (let number = 1; number <= 51; number += 1)
    await arrive(server, address, { subject: `Letter ${number}` });
  const messages = page.locator('.mails a');
  await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`);
  await page.getByText('1–50 of 51').waitFor();
  assert.is(await messages.first().textContent(), 'Letter 51');
  assert.is(await page.locator('[data-mailbox]').count(), 1);
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByText('51–51 of 51').waitFor();
  assert.equal(await messages.allTextContents(), ['Letter 1']);
  // The newest messages are on another page.
  assert.is(await page.locator('[data-mailbox]').count(), 0);
  assert.equal(faults, []);
  await close();
});

check(
  'a listening page recovers from any number of dropped connections',
  async ({ server, browser, account }) => {
    const { page, close } = await openPage(browser, server);
    await signIn(page, account);
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = made.body.message.email;
    let lines = 0;
    await page.routeWebSocket(/\/ws\/email/, (line) => {
      lines += 1;
      if (lines <= 62) void line.close({ code: 1001 });
      else line.connectToServer();
    });
    await page.clock.install();
    await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`);
    await until(async () => {
      await page.clock.fastForward(60_000);
      return lines > 62;
    });
    await arrive(server, address, {});
    await page.getByRole('link', { name: 'Your order' }).waitFor();
    await close();
  },
);

check(
  'mail that arrives before the page listens shows up by itself',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = made.body.message.email;
    let hasCome = (): void => undefined;
    const come = new Promise<void>((resolve) => {
      hasCome = resolve;
    });
    await page.route(/\/live-[^/]+\.js$/, async (route) => {
      await come;
      await route.continue();
    });
    await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`, { waitUntil: 'commit' });
    await page.getByText('No messages yet').waitFor();
    await arrive(server, address, {});
    hasCome();
    await page.getByRole('link', { name: 'Your order' }).waitFor();
    assert.equal(faults, []);
    await close();
  },
);

check(
  'mailboxes and messages are deleted only after a confirmation, by keyboard and without scripts',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
    await signIn(page, account);
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = made.body.message.email;
    for (const subject of ['First', 'Second', 'Third']) await arrive(server, address, { subject });
    const messages = page.locator('.mails a');
    const buttons = page.locator('main .button.danger');
    /** Opens the confirmation with the keyboard; nothing has been deleted yet. */
    const ask = async (words: string, lost: string) => {
      assert.is(await buttons.filter({ visible: true }).count(), 0, 'nothing is deleted with one press');
      await page.locator('summary', { hasText: words }).press('Enter');
      await page.getByText(lost).waitFor();
    };
    const answer = async () => {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
    };
    const path = `/web/mailboxes/${encodeURIComponent(address)}`;
    await page.goto(path);
    await page.getByRole('link', { name: 'Second' }).click();
    await ask('Delete the message', 'permanently deletes the message');
    await page.goto(path);
    assert.is(await messages.count(), 3);
    await page.getByRole('link', { name: 'Second' }).click();
    await ask('Delete the message', 'permanently deletes the message');
    await answer();
    await page.getByText('Deleted.').waitFor();
    await page.waitForLoadState();
    assert.equal((await messages.allTextContents()).sort(), ['First', 'Third']);
    await page.getByText('Choose a message').waitFor();
    await page.goto(`${path}/settings`);
    await ask('Delete all messages', 'The address stays');
    await answer();
    await page.getByText('No messages yet').waitFor();
    await page.goto(`${path}/settings`);
    await ask('Delete the mailbox', `can use ${address} again`);
    await answer();
    await page.getByText('No mailboxes yet').waitFor();
    assert.equal(faults, []);
    await close();
  },
);

check('hostile mail executes and loads nothing', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  await signIn(page, account);
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const address: string = made.body.message.email;
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  await arrive(server, address, {
    from: `"${hostile}" <x@example.org>`,
    subject: hostile,
    text: hostile,
    html: `<p onclick="alert(3)">Look</p>${hostile}<img src="https://evil.example/track.gif"><style>@import url(https://evil.example/x.css)</style><a href="javascript:alert(4)">click</a><form action="https://evil.example"><button>go</button></form>`,
    attachments: [
      {
        filename: `${hostile}.html`,
        contentType: 'text/html',
        contentBase64: btoa(hostile),
        size: hostile.length,
      },
    ],
  });
  await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`, { waitUntil: 'load' });
  await page.locator('.mails a').first().click();
  await page.frameLocator('iframe.message').getByText('Look').waitFor();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  assert.equal(foreign, []);
  assert.equal(faults, []);
  await close();
});

check('an address in a text mail is a link that names nobody', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, account);
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const address: string = made.body.message.email;
  await arrive(server, address, {
    text: 'See https://example.org/a?b=1. Not javascript:alert(1) or https://.',
  });
  await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`);
  await page.locator('.mails a').first().click();
  const link = page.locator('.letter a');
  await link.waitFor();
  assert.is(await link.count(), 1);
  assert.is(await link.getAttribute('href'), 'https://example.org/a?b=1');
  assert.is(await link.getAttribute('rel'), 'noreferrer nofollow');
  assert.equal(faults, []);
  await close();
});

check(
  'a link in a mail opens a separate page without access to the mail, and the mail executes and loads nothing',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    const loaded: string[] = [];
    await page.context().route('https://*.example/**', async (route) => {
      loaded.push(route.request().url());
      const { referer = '' } = await route.request().allHeaders();
      await route.fulfill({
        contentType: 'text/html',
        body: `<title>Offer</title><p>from "${referer}"<script>document.title = origin + ' ' + opener</script>`,
      });
    });
    await signIn(page, account);
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = made.body.message.email;
    await arrive(server, address, {
      text: '',
      html:
        '<p>See <a href="https://shop.example/offer?a=1&amp;b=&quot;2>1&quot;">our offer</a>, ' +
        '<a href="mailto:us@shop.example">us@shop.example</a></p><script>alert(1)</script>' +
        '<img src="https://evil.example/x.gif"><form action="https://evil.example/"><button>Go</button></form>',
    });
    await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`, { waitUntil: 'load' });
    await page.getByRole('link', { name: 'Your order' }).click();
    await page.getByRole('link', { name: 'Plain text' }).click();
    assert.is(
      (await page.locator('pre.letter').textContent()) ?? '',
      'See our offer <https://shop.example/offer?a=1&b="2>1">, us@shop.example\nGo',
    );
    await page.getByRole('link', { name: 'Formatted', exact: true }).click();
    const opened = page.context().waitForEvent('page');
    await page.frameLocator('iframe.message').getByRole('link', { name: 'our offer' }).click();
    const offer = await opened;
    await offer.getByText('from ""').waitFor();
    assert.is(await offer.title(), 'https://shop.example null');
    assert.match(page.url(), '/message?id=');
    assert.equal(loaded, ['https://shop.example/offer?a=1&b=%222%3E1%22']);
    assert.equal(faults, []);
    await close();
  },
);

check(
  'the mailbox of another account is answered like one that does not exist',
  async ({ server, browser, account }) => {
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const { page, close } = await openPage(browser, server);
    await signIn(page, await server.account());
    assert.is((await page.goto(`/web/mailboxes/${made.body.message.email}`))?.status(), 404);
    await close();
  },
);

check(
  'messages stand beside the one that is open, with their beginnings, and boxes with what is unread',
  async (place) => {
    const { server, account } = place;
    const made = async (): Promise<string> =>
      (await server.request('POST', '/email/create', { key: account.key, json: {} })).body.message.email;
    const [box, other] = [await made(), await made()];
    await arrive(server, box, { subject: 'First', text: '> an old line\nIt is\n  on its way.' });
    await arrive(server, box, { subject: 'Second', text: '', html: '<p>Only <b>formatted</b></p>' });
    await arrive(server, other, { subject: 'Elsewhere' });
    const { page, faults, close } = await openPage(place.browser, server, {
      viewport: { width: 1024, height: 768 },
    });
    await signIn(page, account);
    await page.goto('/web/mailboxes');
    assert.equal((await page.locator('.things .badge.good').allTextContents()).sort(), [
      ...['1 unread', '2 unread'],
    ]);
    await page.getByRole('link', { name: box }).click();
    assert.equal(await page.locator('.beginning').allTextContents(), ['Only formatted', 'It is on its way.']);
    await page.locator('.mails').getByRole('link', { name: 'First' }).click();
    await page.getByRole('heading', { name: 'First', level: 1 }).waitFor();
    assert.is(await page.locator('.mails [aria-current]').textContent(), 'First');
    assert.is(await page.locator('.boxes [aria-current]').textContent(), `${box}1 unread`);
    await assertSound(page);
    await page.locator('.mails').getByRole('link', { name: 'Second' }).click();
    await page.frameLocator('iframe.message').getByText('Only formatted').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    assert.is(await page.locator('.mails').isVisible(), false, 'on a phone the message alone');
    await page.getByRole('link', { name: box }).click();
    await page.locator('.mails').waitFor();
    assert.equal(faults, []);
    await close();
  },
);

check('mail pages are accessible, narrow and wide', async ({ server, browser, account }) => {
  const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
  const address: string = made.body.message.email;
  await arrive(server, address, { subject: 'long-'.repeat(40), html: '<p>Hello</p>' });
  await eachShape({ server, browser }, account, async (page) => {
    await page.goto('/web/mailboxes', { waitUntil: 'load' });
    await assertSound(page);
    await page.getByRole('link', { name: address }).click();
    await assertSound(page);
    await page.getByRole('link', { name: 'long-' }).click();
    await assertSound(page);
  });
});

check(
  'formatted mail can be read in dark mode, and shows its own pictures',
  async ({ server, browser, account }) => {
    const made = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = made.body.message.email;
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await arrive(server, address, {
      subject: 'Dark',
      html: `<html><head><style>.pre{display:none}</style></head><body style="background-color:#0F1217"><div class="pre">Preheader</div>
      <table width="100%"><tr><td style="color:#fff">Hello <a href="https://example.org/v" style="background:#5469d4;color:#fff">Verify</a>
      <p style="color:#f3f4f6">Your code: <b>482 913</b></p><img src="cid:dot@mail" alt="dot"></td></tr></table></body></html>`,
      attachments: [
        { filename: 'dot.png', contentType: 'image/png', contentId: '<dot@mail>', contentBase64: png },
      ],
    });
    const { page, faults, close } = await openPage(browser, server, { colorScheme: 'dark' });
    await signIn(page, account);
    await page.goto(`/web/mailboxes/${encodeURIComponent(address)}`);
    await page.getByRole('button', { name: 'Copy the code 482913' }).waitFor();
    await page.getByRole('link', { name: 'Dark' }).click();
    const frame = page.frameLocator('iframe.message');
    await frame.getByText('Verify').waitFor();
    assert.is(await frame.getByText('Preheader').count(), 0);
    const looks = await frame.getByText('Verify').evaluate((link) => {
      const { color, backgroundColor } = getComputedStyle(link);
      const paper = getComputedStyle(link.closest('div') ?? link).backgroundColor;
      return { color, backgroundColor, paper };
    });
    assert.equal(looks, {
      color: 'rgb(255, 255, 255)',
      backgroundColor: 'rgb(84, 105, 212)',
      paper: 'rgb(15, 18, 23)',
    });
    const shown = await frame
      .getByAltText('dot')
      .evaluate((image) => (image as HTMLImageElement).naturalWidth);
    assert.is(shown, 1);
    await assertSound(page);
    assert.equal(faults, []);
    await close();
  },
);

run();
