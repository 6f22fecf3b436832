import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENGLISH, i18nOf } from '../../../routers/base/language/i18n.js';
import { LANGUAGES, type Language } from '../../../routers/base/language/languages.js';
import type { MailContent } from '../../../routers/base/ports/mail/mail-templates.js';
import { mailTemplates } from '../../../server/drivers/mail/templates/index.js';

const templates = suite('mail templates');
const link = 'https://holdall.example/v1/auth/verify/token?code=abc&x=1';

/** Templates, with the same text in every field that a user can choose. */
function all(chosen: string, i18n = ENGLISH): Record<string, MailContent> {
  const mails = mailTemplates(chosen, i18n);
  return {
    registration: mails.verification({
      username: chosen,
      code: '042917',
      link,
      minutes: 15,
    }),
    activated: mails.activated({ username: chosen, signInLink: link }),
    waiting: mails.accountWaiting({ username: chosen, newcomer: chosen, address: chosen, link }),
    reset: mails.passwordReset({ username: chosen, link, minutes: 30 }),
    chat: mails.chatLinked({ username: chosen, chatName: chosen, settingsLink: link }),
    member: mails.collectionShared({ username: chosen, owner: chosen, isOffer: false, link }),
    offer: mails.collectionShared({ username: chosen, owner: chosen, isOffer: true, link }),
    shared: mails.linkShared({ username: chosen, message: chosen, link }),
    files: mails.filesReceived({
      username: chosen,
      title: chosen,
      names: [chosen],
      total: 2,
      link,
      stopLink: link,
    }),
    opened: mails.opened({
      username: chosen,
      kind: 'paste',
      name: chosen,
      times: 2,
      isGone: false,
      link,
      stopLink: link,
    }),
    gone: mails.opened({
      username: chosen,
      kind: 'paste',
      name: chosen,
      times: 1,
      isGone: true,
      link,
      stopLink: link,
    }),
    daily: mails.openedDaily({
      ...{ username: chosen, more: 3, link, stopLink: link },
      items: [{ kind: 'url', name: chosen, times: 1, isGone: false }],
    }),
    broken: mails.linksBroken({ username: chosen, total: 2, targets: [chosen], link }),
    domain: mails.domainPaused({ username: chosen, host: chosen, link }),
    webhook: mails.webhookDisabled({
      username: chosen,
      host: chosen,
      failures: 20,
      lastError: chosen,
      settingsLink: link,
    }),
  };
}

templates('the link is alone on a line of the text part', () => {
  for (const [name, mail] of Object.entries(all('ada'))) {
    assert.ok(mail.text.split('\n').includes(link), name);
    assert.ok(mail.html.includes(link.replace('&', '&amp;')), name);
  }
});

templates('lines of the text part are short enough to be sent unencoded, and line breaks are kept', () => {
  const texts = all('one\ntwo');
  for (const [name, { text }] of Object.entries(texts)) {
    const long = text.split('\n').filter((line) => line.length > 76 && line !== link);
    assert.equal(long, [], name);
  }
  assert.match(texts.webhook?.text ?? '', /[^\n]one\ntwo[^\n]/);
});

templates('the code is the only six-digit number in the text part, and is not in the subject', () => {
  const { registration } = all('ada');
  assert.equal(registration?.text.match(/\b\d{6}\b/g), ['042917']);
  assert.not.match(registration?.subject ?? '', /\d/);
  assert.match(registration?.html ?? '', />042917</);
});

templates('user input cannot become markup', () => {
  for (const [name, mail] of Object.entries(all('<script>alert("1")</script>\' onload=x & <b>'))) {
    assert.not.match(mail.html, /<script|<b>|' onload|"1"/, name);
    assert.match(mail.html, /&lt;script&gt;alert\(&quot;1&quot;\)/, name);
  }
});

templates('user input cannot break the subject line', () => {
  for (const mail of Object.values(all('ada\r\nBcc: evil@example.net\u2028'))) {
    assert.not.match(mail.subject, /[\r\n\u2028]/);
  }
});

templates('nothing is loaded from elsewhere, dark mode is supported, and mails are small', () => {
  for (const [name, mail] of Object.entries(all('ada'))) {
    assert.not.match(mail.html, /<(img|link|script|iframe)|url\(|@import/i, name);
    assert.match(mail.html, /prefers-color-scheme:dark/, name);
    assert.ok(mail.html.length < 4096, `${name}: ${mail.html.length}`);
  }
});

templates(
  'each language says every template in its own words, and says in the HTML which it is',
  async () => {
    const english = all('ada');
    for (const language of LANGUAGES.filter((one) => one !== 'en')) {
      for (const [name, mail] of Object.entries(all('ada', await i18nOf(language)))) {
        assert.match(mail.html, `<html lang="${language}">`, name);
        assert.is.not(mail.subject, english[name]?.subject, `${language}: ${name}`);
        const words = mail.text
          .split(/\n\n/)
          .filter((block) => !block.includes(link) && !block.includes('042917'));
        for (const block of words.filter((one) => one !== 'ada'))
          assert.not.ok(english[name]?.text.includes(block), `${language}: ${block}`);
      }
    }
  },
);

templates('how many files came in has the plurals of the language', async () => {
  const ways = async (language: Language, total: number) => {
    const data = { username: 'ada', title: 'x', names: ['a'], total, link, stopLink: link };
    return mailTemplates('x', await i18nOf(language)).filesReceived(data).subject;
  };
  assert.is(await ways('en', 1), 'A file arrived for you');
  assert.is(await ways('en', 1234), '1234 files arrived for you');
  assert.is(await ways('de', 1234), '1.234 Dateien sind für Sie angekommen');
  assert.equal(await Promise.all([1, 3, 5].map((total) => ways('cs', total))), [
    'Přišel vám soubor',
    'Přišly vám 3 soubory',
    'Přišlo vám 5 souborů',
  ]);
  assert.equal(await Promise.all([1, 3, 5, 21].map((total) => ways('ru', total))), [
    'Вам прислали файл',
    'Вам прислали 3 файла',
    'Вам прислали 5 файлов',
    'Вам прислали 21 файл',
  ]);
});

templates.run();
