// on both databases
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import {
  cookieOf,
  cookies,
  newcomer,
  newInvite,
  registerNewcomer,
  signIn,
} from '../../support/accounts/accounts.js';
import { digitsIn, linkCodeIn, linkMailedTo, mailsTo, newestMailTo } from '../../support/accounts/outbox.js';

interface World {
  server: TestServer;
}
const verify = suite<World>('email verification');

verify.before(async (world) => {
  world.server = await startServer();
});
verify.after(({ server }) => server.close());

const post = (server: TestServer, path: string, values: Record<string, string | null>) =>
  server.request('POST', `/auth/verify/${path}`, { headers: cookies(values) });

const enter = (server: TestServer, verify_token: string | null, code: string) =>
  post(server, `email?code=${encodeURIComponent(code)}`, { verify_token });

/** Six digits that differ from the given ones. */
const other = (digits: string) => (digits === '000000' ? '000001' : '000000');

/** Makes every code appear this old. */
const age = (server: TestServer, ms: number) =>
  server.app.services.db.write((trx) =>
    trx('codes').update({
      created_at: trx.raw('created_at - ?', [ms]),
      expires_at: trx.raw('expires_at - ?', [ms]),
    }),
  );
const COOLDOWN = 2 * 60_000;

verify('200: the six digits activate the account once, after which it can sign in', async ({ server }) => {
  const { verifyToken, ...fields } = await registerNewcomer(server);
  const digits = digitsIn(await newestMailTo(server, fields.email));
  assert.match(digits, /^\d{6}$/);
  assert.is((await post(server, 'validate', { verify_token: verifyToken })).status, 200);
  assert.is((await enter(server, verifyToken, digits)).status, 200);
  assert.is((await post(server, 'validate', { verify_token: verifyToken })).status, 401);
  const again = await enter(server, verifyToken, digits);
  assert.equal([again.status, again.body.message], [200, 'Your account is active'], again.text);
  assert.is((await enter(server, verifyToken, other(digits))).status, 400);
  assert.is((await signIn(server, fields)).status, 200);
});

verify(
  'the digits of a mail whose link has been opened say that the account is active',
  async ({ server }) => {
    const { verifyToken, email } = await registerNewcomer(server);
    const mail = await newestMailTo(server, email);
    assert.is((await server.request('GET', `/auth/verify/token?code=${linkCodeIn(mail)}`)).status, 200);
    assert.is((await enter(server, verifyToken, digitsIn(mail))).status, 200);
    assert.is((await enter(server, verifyToken, other(digitsIn(mail)))).status, 400);
  },
);

verify(
  'the mail in the outbox is readable as a file: digits and link are unbroken on one line',
  async ({ server }) => {
    const { email } = await registerNewcomer(server);
    const mail = await newestMailTo(server, email);
    const folder = join(server.dataDir, 'outbox');
    const files = await Promise.all(
      (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
    );
    const raw = files.find((file) => file.includes(`To: ${email}`)) ?? '';
    assert.match(raw, new RegExp(`^ *${digitsIn(mail)}\\r?$`, 'm'));
    assert.match(raw, `\n${server.base}/auth/verify/token?code=${linkCodeIn(mail)}\r\n`);
  },
);

verify('the code is also accepted in a form or a JSON body', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const code = digitsIn(await newestMailTo(server, email));
  const answer = await server.request('POST', '/auth/verify/email', {
    headers: cookies({ verify_token: verifyToken }),
    json: { code },
  });
  assert.is(answer.status, 200);
});

verify('401 without the cookie, or with a forged or expired one', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const digits = digitsIn(await newestMailTo(server, email));
  assert.is((await enter(server, null, digits)).status, 401);
  assert.is((await post(server, 'email', { verify_token: null })).status, 401);
  assert.is((await post(server, 'email', { verify_token: verifyToken })).status, 400);
  assert.is((await enter(server, 'x'.repeat(43), digits)).status, 401);
  await server.app.services.db.write((trx) => trx('verify_tokens').update({ expires_at: 1 }));
  for (const path of ['validate', 'sendemail', 'resendemail', `email?code=${digits}`])
    assert.is((await post(server, path, { verify_token: verifyToken })).status, 401, path);
});

verify(
  '400 for a wrong, expired or missing code, and for the code of another account',
  async ({ server }) => {
    const mine = await registerNewcomer(server);
    const theirs = await registerNewcomer(server);
    const digits = digitsIn(await newestMailTo(server, mine.email));
    assert.is((await enter(server, mine.verifyToken, other(digits))).status, 400);
    assert.is((await enter(server, mine.verifyToken, '')).status, 400);
    assert.is((await post(server, 'email', { verify_token: mine.verifyToken })).status, 400);
    const foreign = digitsIn(await newestMailTo(server, theirs.email));
    if (foreign !== digits) assert.is((await enter(server, mine.verifyToken, foreign)).status, 400);
    await age(server, 16 * 60_000);
    const late = await enter(server, mine.verifyToken, digits);
    assert.is(late.status, 400);
    assert.is(late.body.message, 'The code is wrong, already used or expired');
  },
);

verify(
  'ten wrong attempts invalidate the digits even with limits off; the link still works',
  async ({ server }) => {
    const { verifyToken, email } = await registerNewcomer(server);
    const mail = await newestMailTo(server, email);
    const digits = digitsIn(mail);
    for (let tries = 0; tries < 10; tries += 1) await enter(server, verifyToken, other(digits));
    assert.is((await enter(server, verifyToken, digits)).status, 400);
    assert.is((await server.request('GET', `/auth/verify/token?code=${linkCodeIn(mail)}`)).status, 200);
  },
);

verify('a code activates once under concurrent attempts', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const digits = digitsIn(await newestMailTo(server, email));
  const answers = await Promise.all(Array.from({ length: 9 }, () => enter(server, verifyToken, digits)));
  assert.ok(answers.every(({ status }) => status === 200));
  const user = await server.app.services.db.read('users').where({ email }).first('id');
  const told = await server.app.services.db
    .read('audit_log')
    .where({ event: 'account.verified', subject_id: user?.id })
    .count({ n: '*' });
  assert.is(Number(told[0]?.n), 1);
});

verify('the link answers with a page, to later readers too; HEAD does not use it up', async ({ server }) => {
  const { email, verifyToken } = await registerNewcomer(server);
  const code = await linkMailedTo(server, email);
  const path = `/auth/verify/token?code=${code}`;
  assert.is((await server.request('HEAD', path)).status, 200);
  const first = await server.request('GET', path);
  assert.is(first.status, 200);
  assert.match(first.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(first.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.is((await post(server, 'validate', { verify_token: verifyToken })).status, 401);
  const again = await server.request('GET', path);
  assert.equal(
    [again.status, again.text],
    [200, first.text],
    'a program that examines mails may be the first',
  );
  for (const dead of ['/auth/verify/token', '/auth/verify/token?code=nonsense']) {
    const answer = await server.request('GET', dead);
    assert.is(answer.status, 400, dead);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const seen = await server.request('GET', dead, { headers: { accept: 'text/html' } });
    assert.equal([seen.status, seen.text], [400, answer.text], 'one page for browsers and for tools');
  }
});

verify(
  'who registers on the page gets a link that activates nothing until a button is pressed',
  async ({ server }) => {
    const fields = newcomer();
    const form = new URLSearchParams({ ...fields, inviteCode: await newInvite(server) });
    const registered = await server.request('POST', '//web/register', { form });
    assert.is(registered.status, 303);
    const expectPending = async () => assert.is((await signIn(server, fields)).status, 403);
    const expectLink = async (): Promise<string> => {
      const mail = await newestMailTo(server, fields.email);
      const code = linkCodeIn(mail);
      assert.match(mail.text, `${server.origin}/web/verify/link?code=${code}`);
      const opened = await server.request('GET', `//web/verify/link?code=${code}`);
      assert.is(opened.status, 200);
      assert.match(opened.text, 'Activate account');
      await expectPending();
      return code;
    };
    await expectLink();
    await age(server, COOLDOWN);
    const verify_token = cookieOf(registered, 'verify_token');
    const again = { headers: cookies({ verify_token }), form: new URLSearchParams({ action: 'resend' }) };
    assert.is((await server.request('POST', '//web/verify', again)).status, 303);
    const code = await expectLink();
    const press = () => server.request('POST', '//web/verify/link', { form: new URLSearchParams({ code }) });
    for (const answer of [
      await press(),
      await press(),
      await server.request('GET', `//web/verify/link?code=${code}`),
    ]) {
      assert.is(answer.status, 200);
      assert.match(answer.text, 'Your account is active');
    }
    assert.is((await signIn(server, fields)).status, 200);
    assert.is((await server.request('GET', '//web/verify/link?code=nonsense')).status, 400);
  },
);

verify(
  'after the digits were entered the link of the same mail says that the account is active',
  async ({ server }) => {
    const { verifyToken, email } = await registerNewcomer(server);
    const mail = await newestMailTo(server, email);
    assert.is((await enter(server, verifyToken, digitsIn(mail))).status, 200);
    const { status, text } = await server.request('GET', `/auth/verify/token?code=${linkCodeIn(mail)}`);
    assert.is(status, 200);
    assert.match(text, 'Your account is active');
  },
);

verify(
  'sendemail within two minutes answers 200 and sends nothing; afterwards it sends a new code',
  async ({ server }) => {
    const { verifyToken, email } = await registerNewcomer(server);
    const before = digitsIn(await newestMailTo(server, email));
    assert.is((await post(server, 'sendemail', { verify_token: verifyToken })).status, 200);
    assert.is((await mailsTo(server, email)).length, 1);
    await age(server, COOLDOWN);
    assert.is((await post(server, 'sendemail', { verify_token: verifyToken })).status, 200);
    const mails = await mailsTo(server, email);
    assert.is(mails.length, 2);
    const after = digitsIn(await newestMailTo(server, email));
    if (before !== after) assert.is((await enter(server, verifyToken, before)).status, 400);
    assert.is((await enter(server, verifyToken, after)).status, 200);
  },
);

verify('resendemail within two minutes answers 429 and changes nothing', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const next = newcomer().email;
  for (const new_email of [null, next]) {
    const answer = await post(server, 'resendemail', { verify_token: verifyToken, new_email });
    assert.is(answer.status, 429);
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
  }
  assert.is((await mailsTo(server, email)).length, 1);
  assert.is((await mailsTo(server, next)).length, 0);
});

verify('of concurrent resends after the cooldown one sends a mail', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  await age(server, COOLDOWN);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post(server, 'resendemail', { verify_token: verifyToken })),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
  assert.is((await mailsTo(server, email)).length, 2);
});

verify(
  'new_email changes the address: earlier codes and links stop working, the new ones activate',
  async ({ server }) => {
    const { verifyToken, ...fields } = await registerNewcomer(server);
    const old = await newestMailTo(server, fields.email);
    await age(server, COOLDOWN);
    const email = newcomer().email;
    const answer = await post(server, 'resendemail', { verify_token: verifyToken, new_email: email });
    assert.is(answer.status, 200);
    const fresh = await newestMailTo(server, email);
    assert.is((await server.request('GET', `/auth/verify/token?code=${linkCodeIn(old)}`)).status, 400);
    if (digitsIn(old) !== digitsIn(fresh))
      assert.is((await enter(server, verifyToken, digitsIn(old))).status, 400);
    assert.is((await enter(server, verifyToken, digitsIn(fresh))).status, 200);
    assert.is((await signIn(server, fields)).status, 403);
    assert.is((await signIn(server, { ...fields, email })).status, 200);
  },
);

verify('400 when new_email is taken or not an address; the address stays unchanged', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const mail = await newestMailTo(server, email);
  await age(server, COOLDOWN);
  for (const new_email of [server.owner.email, 'nonsense', 'a@example.com,b@example.com']) {
    const answer = await post(server, 'resendemail', { verify_token: verifyToken, new_email });
    assert.is(answer.status, 400, new_email);
  }
  assert.is((await enter(server, verifyToken, digitsIn(mail))).status, 200);
});

verify('a code does not activate an address that it was not sent to', async ({ server }) => {
  const { verifyToken, email } = await registerNewcomer(server);
  const mail = await newestMailTo(server, email);
  await server.app.services.db.write((trx) =>
    trx('users').where('email', email).update({ email: 'else@example.com', email_key: 'else@example.com' }),
  );
  assert.is((await enter(server, verifyToken, digitsIn(mail))).status, 400);
  assert.is((await server.request('GET', `/auth/verify/token?code=${linkCodeIn(mail)}`)).status, 400);
});

verify(
  'signing in to an unverified account: 403 with its own text and a fresh verify_token',
  async ({ server }) => {
    const { verifyToken, ...fields } = await registerNewcomer(server);
    const wrong = await signIn(server, { ...fields, password: 'wrong password' });
    assert.is(wrong.status, 403);
    assert.is(wrong.body.message, 'The e-mail address or the password is wrong');
    assert.is(cookieOf(wrong, 'verify_token'), null);
    const right = await signIn(server, fields);
    assert.is(right.status, 403);
    assert.is(right.body.message, 'Verify your e-mail address first');
    const fresh = cookieOf(right, 'verify_token');
    assert.ok(fresh !== null && fresh !== verifyToken);
    assert.is((await enter(server, fresh, digitsIn(await newestMailTo(server, fields.email)))).status, 200);
  },
);

verify('RATE_LIMIT=on: 429 well before 60 wrong codes', async () => {
  const server = await startServer({ RATE_LIMIT: 'on' });
  try {
    const { verifyToken } = await registerNewcomer(server);
    let tries = 0;
    let answer = await enter(server, verifyToken, 'nonsense');
    for (; answer.status === 400 && tries < 60; tries += 1)
      answer = await enter(server, verifyToken, 'nonsense');
    assert.is(answer.status, 429);
    assert.ok(tries < 40, `${tries} tries`);
  } finally {
    await server.close();
  }
});

verify('a stranger is not flooded with verification mails', async () => {
  const server = await startServer({ RATE_LIMIT: 'on', REGISTRATION: 'open' });
  try {
    const { db } = server.app.services;
    const target = newcomer().email;
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      const json = { ...newcomer(), email: target };
      statuses.push((await server.request('POST', '/auth/register', { json })).status);
      // The account takes another address in the meantime, as resendemail allows.
      const email = `${tries}@example.com`;
      await db.write((trx) => trx('users').where('email', target).update({ email, email_key: email }));
    }
    assert.equal(statuses, [...Array(10).fill(200), 429]);
    assert.is((await mailsTo(server, target)).length, 10);
    const other = await server.request('POST', '/auth/register', { json: newcomer() });
    assert.is(other.status, 200, 'other addresses are not affected');
  } finally {
    await server.close();
  }
});

verify.run();
