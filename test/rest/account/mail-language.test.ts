/** The language of mails: the receiver's choice, else what the request asks for, else that of the installation. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestServer } from '../../harness.js';
import type { ReadableMail } from '../../standins/mime.js';
import { cookieOf, cookies, newcomer, newInvite } from '../../support/accounts/accounts.js';
import { mailsTo, newestMailTo } from '../../support/accounts/outbox.js';

interface World {
  server: TestServer;
}
const test = suite<World>('the language of mails');

test.before(async (world) => {
  world.server = await startServer({ DEFAULT_LANGUAGE: 'cs' });
});
test.after(({ server }) => server.close());

/** A text of a mail as one line: where it is broken depends on the words. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Whether a mail is in this language, in its subject, text and HTML. */
function speaks(mail: ReadableMail, language: string, subject: string, text: string): void {
  assert.is(mail.subject, subject);
  assert.ok(flat(mail.text).includes(text), mail.text);
  assert.match(mail.html ?? '', `<html lang="${language}">`);
  assert.ok(flat(mail.html ?? '').includes(text), mail.html ?? '');
}

const well = (answer: Answer): Answer => {
  assert.ok(answer.status < 400, answer.text);
  return answer;
};

/** Registers somebody whose browser asks for a language, or for none. */
async function register(server: TestServer, language: string | null) {
  const fields = newcomer();
  const json = { ...fields, inviteCode: await newInvite(server) };
  const headers = language === null ? {} : { 'accept-language': language };
  const answer = well(await server.request('POST', '/auth/register', { json, headers }));
  return { ...fields, token: cookieOf(answer, 'verify_token') };
}

/** Makes an account choose a language, also one that cannot sign in yet. */
const choose = (server: TestServer, email: string, language: string) =>
  server.app.services.db.write((trx) => trx('users').where({ email }).update({ language }));

const askReset = async (server: TestServer, email: string, language: string) =>
  well(
    await server.request('POST', '/auth/reset/request', {
      json: { email },
      headers: { 'accept-language': language },
    }),
  );

/** The subject and a sentence of a mail. */
type Said = readonly [subject: string, text: string];

const VERIFICATION: Readonly<Record<'cs' | 'de' | 'en', Said>> = {
  cs: ['Potvrďte svůj účet Holdall', 'Kód a odkaz platí jednou a vyprší po 15 minutách.'],
  de: [
    'Bestätigen Sie Ihr Holdall-Konto',
    'Code und Link funktionieren einmal und laufen nach 15 Minuten ab.',
  ],
  en: ['Confirm your Holdall account', 'The code and the link work once and expire after 15 minutes.'],
};

test('somebody who registers gets the language of their browser, else that of the installation', async ({
  server,
}) => {
  for (const [asked, language] of [
    ['de-AT, en;q=0.5', 'de'],
    ['en', 'en'],
    ['fr', 'cs'],
    [null, 'cs'],
  ] as const) {
    const { email } = await register(server, asked);
    speaks(await newestMailTo(server, email), language, ...VERIFICATION[language]);
  }
});

test('a new code comes in the language that the account has chosen, whatever its browser asks for', async ({
  server,
}) => {
  const { email, token } = await register(server, 'pl');
  await choose(server, email, 'de');
  await server.app.services.db.write((trx) =>
    trx('codes').update({ created_at: trx.raw('created_at - ?', [3 * 60_000]) }),
  );
  const headers = { ...cookies({ verify_token: token }), 'accept-language': 'pl' };
  well(await server.request('POST', '/auth/verify/resendemail', { headers }));
  const found = (await mailsTo(server, email)).find(({ subject }) => subject === VERIFICATION.de[0]);
  assert.ok(found);
  speaks(found, 'de', ...VERIFICATION.de);
});

const RESET: Readonly<Record<'cs' | 'de' | 'uk', Said>> = {
  cs: ['Nastavte si nové heslo pro Holdall', 'Někdo požádal o nastavení nového hesla k vašemu účtu.'],
  de: ['Neues Passwort für Holdall festlegen', 'Jemand möchte ein neues Passwort für Ihr Konto festlegen.'],
  uk: ['Задайте новий пароль для Holdall', 'Хтось запросив новий пароль для вашого облікового запису.'],
};

test('a reset mail, which a job makes, is in the language of the account, else that of who asked', async ({
  server,
}) => {
  const german = await server.account();
  await choose(server, german.email, 'de');
  await askReset(server, german.email, 'uk');
  speaks(await newestMailTo(server, german.email), 'de', ...RESET.de);
  const undecided = await server.account();
  await askReset(server, undecided.email, 'uk');
  speaks(await newestMailTo(server, undecided.email), 'uk', ...RESET.uk);
});

test('a job of an earlier version, without a language, still sends its mail', async ({ server }) => {
  const { jobs, db } = server.app.services;
  for (const language of ['de', null] as const) {
    const { email } = await server.account();
    if (language !== null) await choose(server, email, language);
    await db.write((trx) => jobs.add(trx, 'passwordReset', { email }));
    speaks(await newestMailTo(server, email), language ?? 'cs', ...RESET[language ?? 'cs']);
  }
});

test('a mail about the access is in the language of the holder, not of who changed it', async ({
  server,
}) => {
  for (const [chosen, subject, text] of [
    ['de', 'Der Zugang zu Ihrem Holdall-Konto wurde geändert', 'wurde der API-Schlüssel „scanner“ erstellt.'],
    [null, 'Přístup k vašemu účtu Holdall se změnil', 'byl vytvořen klíč API „scanner“.'],
  ] as const) {
    const { key, email } = await server.account();
    if (chosen !== null) await choose(server, email, chosen);
    const json = { name: 'scanner', scopes: ['images:read'] };
    const headers = { 'accept-language': 'ru' };
    well(await server.request('POST', '/user/get/@me/keys', { key, json, headers }));
    speaks(await newestMailTo(server, email), chosen ?? 'cs', subject, text);
  }
});

test.run();
