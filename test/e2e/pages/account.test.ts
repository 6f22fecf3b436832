/** An account from registration to deletion, in a browser. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { digitsIn, linkMailedTo, newestMailTo } from '../../support/accounts/outbox.js';
import { unzip } from '../../support/media/unzip.js';
import { openPage, signIn, signInByForm } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const token = 'a-worker-token-of-enough-length';

const { check, run } = pageSuite('accounts', { REGISTRATION: 'open', EMAIL_INBOUND_TOKEN: token });

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`an account is created, verified by the mailed code and used ${how}`, async ({ server, browser }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    const username = `person-${javaScriptEnabled}`;
    await page.goto('/web/register');
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('E-mail address').fill(`${username}@example.com`);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Almost there' }).waitFor();
    await page.getByText('Got a code? Enter it here.').click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Activate account' }).click();
    await page.getByRole('alert').waitFor();
    const code = digitsIn(await newestMailTo(server, `${username}@example.com`));
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Activate account' }).click();
    await page.getByText('Your account is active').waitFor();
    await page.getByLabel('E-mail address').fill(`${username}@example.com`);
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assert.equal(
      faults.filter((fault) => !fault.includes('400')),
      [],
    );
    await close();
  });
}

check('a forgotten password is reset by mail', async ({ server, browser, account }) => {
  const { page, faults, close } = await openPage(browser, server);
  await page.goto('/web/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('E-mail address').fill(account.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await page.getByText('If there is an account').waitFor();
  const code = await linkMailedTo(server, account.email);
  await page.goto(`/web/password-reset/confirm?code=${code}`);
  await page.getByLabel('New password').fill('another horse battery');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your password was changed').waitFor();
  await signInByForm(page, { ...account, password: 'another horse battery' });
  assert.equal(faults, []);
  await close();
});

check(
  'settings are saved, and an invalid value is marked at its field',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings');
    await page.getByText('Edit', { exact: true }).click();
    await page.getByLabel('GitHub').fill('octo');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await page.getByLabel('GitHub').inputValue(), 'octo');
    await page.goto('/web/settings/sharing');
    await page.getByLabel('For pastes').selectOption('RAW');
    await page.locator('form[action$="/links"]').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await page.getByLabel('For pastes').inputValue(), 'RAW');
    await page.getByLabel('Colour', { exact: true }).fill('green');
    await page.locator('form[action$="/embeds"]').getByRole('button', { name: 'Save' }).click();
    await page.getByText('use #rgb, #rrggbb or random').waitFor();
    assert.equal(
      faults.filter((fault) => !fault.includes('400')),
      [],
    );
    await close();
  },
);

check(
  'the embed preview updates while typing, and pages then look like it',
  async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings/embeds');
    await page.getByLabel('Use these settings for my uploads').check();
    await page.getByLabel('Title', { exact: true }).fill('{uploader} sent a {filetype}');
    assert.is(await page.locator('[data-part="title"]').textContent(), `${account.username} sent a png`);
    await page.locator('form[action$="/embeds"]').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#246' } })
      .png()
      .toBuffer();
    const { body } = await server.request('POST', '/image/upload', {
      key: account.key,
      form: fileForm(bytes, 'a.png'),
    });
    const html = (await server.request('GET', `//web/image-render/${body.uniqueId}`)).text;
    assert.match(html, `property="og:title" content="${account.username} sent a png"`);
    assert.equal(faults, []);
    await close();
  },
);

check(
  'the password is changed, another session ended, the key replaced after a confirmation',
  async ({ server, browser, account }) => {
    const elsewhere = await openPage(browser, server);
    await signIn(elsewhere.page, account);
    const { page, faults, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings/security');
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByText('The session was ended').waitFor();
    await elsewhere.page.goto('/web/library');
    assert.is(new URL(elsewhere.page.url()).pathname, '/web/login');
    await page.goto('/web/settings/security/keys');
    await page.getByText('Replace key', { exact: true }).click();
    await page.getByText('The current key stops working immediately').waitFor();
    assert.is((await server.request('GET', '/auth/validate', { key: account.key })).status, 200);
    await page.getByRole('button', { name: 'Yes, replace the key' }).click();
    await page.getByText('You have a new API key').waitFor();
    assert.is((await server.request('GET', '/auth/validate', { key: account.key })).status, 401);
    await page.goto('/web/settings/security');
    await page.getByLabel('Current password').fill('wrong wrong wrong');
    await page.getByLabel('New password').fill('another horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password is wrong').waitFor();
    await page.getByLabel('Current password').fill(account.password);
    await page.getByLabel('New password').fill('another horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your other sessions have ended, and you have a new API key').waitFor();
    assert.equal(
      faults.filter((fault) => !fault.includes('403')),
      [],
    );
    await elsewhere.close();
    await close();
  },
);

check('tools are downloaded ready to use', async ({ server, browser, account }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, account);
  await page.goto('/web/settings/tools');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('listitem')
      .filter({ hasText: 'holdall-image.sxcu' })
      .getByRole('button', { name: 'Download' })
      .click(),
  ]);
  assert.is(download.suggestedFilename(), 'holdall-image.sxcu');
  const config = JSON.parse(await readFile(await download.path(), 'utf8'));
  const key = config.Headers['X-API-Key'];
  assert.is.not(key, account.key);
  const upload = await server.request('POST', '/image/upload', { key, form: fileForm('notes', 'a.txt') });
  assert.is(upload.status, 200, upload.text);
  await close();
});

check(
  'an account is exported completely: files, texts, mails and records',
  async ({ server, browser, account }) => {
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#462' } })
      .png()
      .toBuffer();
    const image = await server.request('POST', '/image/upload', {
      key: account.key,
      form: fileForm(bytes, 'take me.png'),
    });
    const paste = await server.request('POST', '/paste/create', {
      key: account.key,
      json: { text: 'my words' },
    });
    await server.request('POST', '/paste/create', {
      key: account.key,
      json: { text: 'only once', burn: true },
    });
    await server.request('POST', '/url/create', {
      key: account.key,
      json: { url: 'https://example.org/mine' },
    });
    const other = await server.request('POST', '/image/upload', {
      key: account.key,
      form: fileForm('notes', 'b.txt'),
    });
    const imagesUids = [other.body.uniqueId, image.body.uniqueId];
    await server.request('POST', '/image/playlist/create', { key: account.key, json: { imagesUids } });
    const avatar = await server.request('PUT', '/user/get/@me/avatar', {
      key: account.key,
      form: fileForm(bytes, 'me.png'),
    });
    assert.is(avatar.status, 200, avatar.text);
    const mailbox = await server.request('POST', '/email/create', { key: account.key, json: {} });
    const address: string = mailbox.body.message.email;
    const { status, text } = await server.request('POST', '/email/inbound', {
      headers: { 'x-email-token': token },
      json: {
        messageId: '<letter@example.org>',
        from: 'Shop <shop@example.org>',
        to: [address],
        recipient: address,
        envelope: { from: 'shop@example.org', to: address },
        subject: 'Order 1/2',
        text: 'It is on its way.',
        attachments: [
          {
            filename: 'bill.txt',
            contentType: 'text/plain',
            contentBase64: Buffer.from('1 €').toString('base64'),
          },
        ],
      },
    });
    assert.is(status, 200, text);
    const { page, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings/account');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download everything' }).click(),
    ]);
    const entries = await unzip(await readFile(await download.path()));
    const lists = [
      'collections.jsonl',
      'domains.jsonl',
      'files.jsonl',
      'links.jsonl',
      'mailboxes.jsonl',
      'origins.jsonl',
      'pastes.jsonl',
      'playlists.jsonl',
      'presets.jsonl',
      'reports.jsonl',
      'requests.jsonl',
      'sent.jsonl',
      'shared-with-me.jsonl',
      'trash.jsonl',
      'views.jsonl',
    ];
    const files = [
      `files/${image.body.uniqueId} take me.png`,
      `files/${other.body.uniqueId} b.txt`,
      `pastes/${paste.body.uniqueId}.txt`,
    ];
    const isMail = (name: string) => name.startsWith('mail/');
    const names = [...entries.keys()];
    assert.equal(
      names.filter((name) => !isMail(name)).sort(),
      ['account.json', 'picture.webp', ...lists, ...files].sort(),
    );
    const [letter = '', original = '', bill = '', ...more] = names.filter(isMail);
    assert.equal(more, []);
    assert.match(letter, new RegExp(`^mail/${address}/\\d{4}-\\S+Z Order 1_2\\.json$`));
    assert.is(original, letter.replace(/\.json$/, '.eml'));
    assert.match(entries.get(original)?.toString() ?? '', 'Subject: Order 1/2');
    assert.is(bill, letter.replace(/\.json$/, '/bill.txt'));
    assert.is(JSON.parse(entries.get(letter)?.toString() ?? '').text, 'It is on its way.');
    assert.is(entries.get(bill)?.toString(), '1 €');
    assert.equal(JSON.parse(entries.get('playlists.jsonl')?.toString() ?? '').images, imagesUids);
    assert.is(JSON.parse(entries.get('mailboxes.jsonl')?.toString() ?? '').email, address);
    assert.is(entries.get(`pastes/${paste.body.uniqueId}.txt`)?.toString(), 'my words');
    assert.match(entries.get('links.jsonl')?.toString() ?? '', 'https://example.org/mine');
    for (const content of entries.values()) assert.not.match(content.toString('latin1'), account.key);
    await close();
  },
);

check(
  'an account is deleted with its password, and nothing of it remains',
  async ({ server, browser, account }) => {
    const paste = await server.request('POST', '/paste/create', { key: account.key, json: { text: 'mine' } });
    const { page, close } = await openPage(browser, server);
    await signIn(page, account);
    await page.goto('/web/settings/account');
    await page.getByLabel('Password').fill(account.password);
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByText('Your account was deleted').waitFor();
    assert.is((await server.request('GET', `/paste/get/${paste.body.uniqueId}`)).status, 404);
    await close();
  },
);

check(
  'the deletion link of an item deletes it after a confirmation, a wrong one does not',
  async ({ server, browser, account }) => {
    const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#642' } })
      .png()
      .toBuffer();
    const made = [
      [
        'image',
        await server.request('POST', '/image/upload', { key: account.key, form: fileForm(bytes, 'b.png') }),
      ],
      ['paste', await server.request('POST', '/paste/create', { key: account.key, json: { text: 'x' } })],
      [
        'url',
        await server.request('POST', '/url/create', {
          key: account.key,
          json: { url: 'https://example.org/' },
        }),
      ],
    ] as const;
    for (const [kind, { body }] of made) {
      const link: string = body.message.urlSet.deletionUrl;
      for (const method of ['GET', 'POST']) {
        const path = `//web/delete/${kind}/${body.uniqueId}?token=${'0'.repeat(64)}`;
        assert.is((await server.request(method, path)).status, 404);
      }
      await page.goto(link);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'was deleted' }).waitFor();
      assert.is((await server.request('GET', `//web/${kind}-render/${body.uniqueId}`)).status, 404);
    }
    await close();
  },
);

check('all settings pages are accessible, narrow and wide', async ({ server, browser, account }) => {
  await eachShape({ server, browser }, account, async (page) => {
    for (const path of ['', '/links', '/embeds', '/webhook', '/tools', '/security', '/account']) {
      await page.goto(`/web/settings${path}`, { waitUntil: 'load' });
      await assertSound(page);
    }
  });
});

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`upload settings and every chosen event are stored ${how}`, async ({ server, browser, account }) => {
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/settings/uploads');
    const metadata = page.getByLabel('Metadata in images and videos');
    assert.is(await metadata.inputValue(), 'strip');
    await metadata.selectOption('keep');
    await page.locator('form[action$="/uploads"]').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    assert.is(await metadata.inputValue(), 'keep');

    await page.goto('/web/settings/webhook');
    const events = page.getByRole('group', { name: 'Events' }).getByRole('checkbox');
    await page.getByLabel('URL').fill('https://hooks.example.com/x');
    await events.nth(1).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const states = await Promise.all([0, 1, 2, 3, 4].map((box) => events.nth(box).isChecked()));
    // Openings are told only to those who ask for it.
    assert.equal(states, [true, false, true, false, true]);
    assert.equal(faults, []);
    await close();
  });
}

run();
