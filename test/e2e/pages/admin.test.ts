import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../../harness.js';
import { MAILGUN_DOMAIN, MAILGUN_KEY, startMailgun } from '../../standins/mailgun.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('administration');

check('an invite is created, its link fills in the code, and it is revoked', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  await page.goto('/web/admin/invites');
  await page.getByLabel('Role').selectOption({ label: 'Moderator' });
  await page.getByLabel('For how many people').fill('3');
  await page.getByLabel('Last day').fill('2100-01-31');
  await page.getByText('Several links').click();
  await page.getByLabel('Prefix').fill('team-');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const link = (await page.getByRole('link', { name: 'team', exact: true }).getAttribute('href')) ?? '';
  const code = new URL(link).searchParams.get('inviteCode') ?? '';
  assert.match(code, /^team-/);
  const made = await server.request('GET', '/admin/invite/get', { key: server.owner.key });
  const { role, maxUses, expiresAt } = made.body.message[0];
  assert.equal([role, maxUses, expiresAt], ['MODERATOR', 3, '2100-01-31T23:59:59.999Z']);
  await page.locator('.things svg.qr').waitFor({ state: 'attached' });
  await page.goto(link);
  assert.is(await page.getByLabel('Invite code').inputValue(), code);
  await page.goto('/web/admin/invites');
  await page.locator('.things summary[aria-label^="More about"]').click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Deleted.').waitFor();
  assert.equal(faults, []);
  await close();
});

check('revoking or ending what somebody else already has counts as done', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  await server.request('POST', '/admin/invite/create', { key: server.owner.key, json: { amount: 1 } });
  await page.goto('/web/admin/invites');
  const { db } = server.app.services;
  await db.write((trx) => trx('invites').del());
  await page.locator('.things summary[aria-label^="More about"]').click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Deleted.').waitFor();
  const elsewhere = await openPage(browser, server);
  await signIn(elsewhere.page, server.owner);
  await page.goto('/web/settings/security');
  const [last] = await db.admin('sessions').orderBy('id', 'desc').limit(1);
  await db.write((trx) => trx('sessions').where('id', last.id).del());
  await page.getByRole('button', { name: 'End session' }).first().click();
  await page.getByText('The session was ended.').waitFor();
  assert.equal(faults, []);
  await elsewhere.close();
  await close();
});

check('invites show if they are for several people, or expired', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  const make = async (json: object) => {
    const made = await server.request('POST', '/admin/invite/create', { key: server.owner.key, json });
    assert.is(made.status, 202, made.text);
  };
  await make({ code: 'several', maxUses: 5 });
  await make({ code: 'once-upon-a-time', expiresAt: new Date(Date.now() + 60_000).toISOString() });
  await server.app.services.db.admin('invites').where('max_uses', 1).update({ expires_at: Date.now() });
  await page.goto('/web/admin/invites');
  const row = (code: string) => page.locator('.things > li').filter({ hasText: code });
  await row('several').getByText('5 of 5 left').waitFor();
  assert.is(await row('several').getByRole('link').count(), 1);
  await row('once-upon-a-time').getByText('expired', { exact: true }).waitFor();
  assert.is(await row('once-upon-a-time').getByRole('link').count(), 0);
  await row('once-upon-a-time').locator('summary').click();
  await row('once-upon-a-time').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Deleted.').waitFor();
  assert.is(await row('once-upon-a-time').count(), 0);
  assert.equal(faults, []);
  await close();
});

check('saving an outdated page of an account does not undo a ban', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  const { id, key } = await server.account();
  await signIn(page, server.owner);
  await page.goto(`/web/admin/users/${id}`);
  const json = { role: 'BANNED' };
  assert.is((await server.request('PUT', `/admin/user/${id}`, { key: server.owner.key, json })).status, 200);
  await page.getByLabel('E-mail address').fill('another@example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  assert.is((await server.request('GET', '/auth/me', { key })).status, 403);
  assert.is(await page.getByLabel('Role').inputValue(), 'BANNED');
  assert.is(await page.getByLabel('E-mail address').inputValue(), 'another@example.org');
  await close();
});

check('saving an outdated page of an item does not make it public', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
  const { key } = server.owner;
  const made = await server.request('POST', '/image/upload', { key, form: fileForm('text', 'a.txt') });
  const { uniqueId } = made.body;
  await signIn(page, server.owner);
  await page.goto(`/web/image-render/${uniqueId}`);
  const json = { ids: [uniqueId], private: true };
  assert.is((await server.request('POST', '//trpc/library.setPrivate', { key, json })).status, 200);
  const open = page.getByText('Description and access');
  await open.click();
  await page.getByLabel('Description').fill('said later');
  await page.locator('form', { hasText: 'Only I can see it' }).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await open.click();
  assert.is(await page.getByLabel('Only I can see it').isChecked(), true);
  assert.is(await page.getByLabel('Description').inputValue(), 'said later');
  await close();
});

check('an account is created, changed, banned and deleted', async ({ server, browser }) => {
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  await page.goto('/web/admin/users');
  const form = page.locator('form', { hasText: 'Create' });
  await form.getByLabel('Username').fill('newcomer');
  await form.getByLabel('E-mail address').fill('newcomer@example.com');
  await form.getByLabel('Password').fill('correct horse battery');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'newcomer' }).waitFor();
  await page.getByLabel('Role').selectOption('BANNED');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const refused = await server.request('POST', '/auth/login', {
    json: { email: 'newcomer@example.com', password: 'correct horse battery' },
  });
  assert.is(refused.status, 403);
  await page.getByLabel('Type newcomer to confirm').fill('somebody else');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('This is not the username').waitFor();
  await page.getByLabel('Type newcomer to confirm').fill('newcomer');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted.').waitFor();
  assert.is(await page.getByRole('link', { name: 'newcomer' }).count(), 0);
  assert.equal(
    faults.filter((fault) => !fault.includes('400')),
    [],
  );
  await close();
});

check('content of all accounts can be found, including private content', async ({ server, browser }) => {
  const account = await server.account();
  await server.request('POST', '/paste/create', {
    key: account.key,
    json: { text: 'x', title: 'needle', private: true },
  });
  await server.request('POST', '/url/create', {
    key: account.key,
    json: { url: 'https://example.org/needle' },
  });
  const { page, faults, close } = await openPage(browser, server);
  await signIn(page, server.owner);
  for (const [kind, title] of [
    ['paste', 'needle'],
    ['url', 'https://example.org/needle'],
  ]) {
    await page.goto(`/web/admin/content?kind=${kind}&search=needle`);
    await page.getByRole('link', { name: title ?? '', exact: true }).waitFor();
    assert.is(await page.locator('tbody tr').count(), 1);
  }
  await page.getByRole('link', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted.').waitFor();
  const { pathname, searchParams } = new URL(page.url());
  assert.equal([pathname, searchParams.get('kind')], ['/web/admin/content', 'url']);
  await page.reload();
  assert.is(await page.getByText('Deleted.').count(), 0, 'it is told once');
  assert.equal(faults, []);
  await close();
});

check('other roles have no access', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server);
  await signIn(page, await server.account());
  for (const path of ['users', 'users/1', 'invites', 'content', 'queues', 'audit', 'system']) {
    const answer = await page.goto(`/web/admin/${path}`);
    assert.is(answer?.status(), 403, path);
  }
  await close();
});

check('every page is accessible, narrow and wide', async ({ server, browser }) => {
  await eachShape({ server, browser }, server.owner, async (page) => {
    for (const path of ['users', 'users/1', 'invites', 'content', 'queues', 'audit', 'system']) {
      await page.goto(`/web/admin/${path}`, { waitUntil: 'load' });
      await assertSound(page);
    }
  });
});

check('jobs that were given up can be retried by an administrator', async ({ browser }) => {
  const mailgun = await startMailgun();
  const server = await startServer({
    MAIL_TRANSPORT: 'mailgun',
    MAILGUN_API_KEY: MAILGUN_KEY,
    MAILGUN_DOMAIN,
    MAILGUN_URL: mailgun.url,
  });
  const { jobs } = server.app.services;
  mailgun.sendStatus = 400;
  const sent = await server.request('POST', '/email/send', {
    key: server.owner.key,
    json: { to: 'ada@example.org', subject: 'Hello', content: 'Hello' },
  });
  assert.is(sent.status, 200);
  await jobs.settle();
  assert.is(mailgun.sent.length, 0);

  mailgun.sendStatus = 200;
  const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled: false });
  await signIn(page, server.owner);
  await page.goto('/web/admin/queues');
  await page.getByRole('row', { name: /mail/ }).getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Failed jobs are being retried.').waitFor();
  await jobs.settle();
  assert.is(mailgun.sent.length, 1);
  await page.goto('/web/admin/queues');
  await page.getByText('Nothing is waiting').waitFor();
  await page.goto('/web/admin/audit');
  await page.getByRole('cell', { name: 'Retried failed jobs' }).waitFor();
  await page.getByRole('cell', { name: 'mail · 1 job' }).waitFor();
  await page.getByLabel('Event', { exact: true }).selectOption('Retried failed jobs');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'Everything' }).waitFor();
  assert.is(await page.getByRole('row').count(), 2, 'the heading and the only entry of this event');
  assert.equal(faults, []);
  await close();
  await server.close();
  await mailgun.close();
});

check('while mails are only written to files, the administrator pages say so', async ({ server }) => {
  const look = async (at: TestServer, path: string) => {
    const headers = { cookie: `session_token=${await sessionOf(at, at.owner)}` };
    return (await at.request('GET', `//web/admin/${path}`, { headers })).text;
  };
  assert.match(await look(server, 'system'), /Mail<br.*?Only written to files.*?not sent/s);
  assert.match(await look(server, 'invites'), 'This server can’t send e-mail');
  const sending = await startServer({
    MAIL_TRANSPORT: 'smtp',
    MAIL_FROM: 'holdall@example.com',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  try {
    assert.match(await look(sending, 'system'), 'Sent through SMTP');
    assert.not.match(await look(sending, 'system'), 'not sent');
    assert.not.match(await look(sending, 'invites'), 'only written to files');
  } finally {
    await sending.close();
  }
});

run();
