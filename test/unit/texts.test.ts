/** Every text for readers is known to the catalogues, and every catalogue can be said (docs/languages.md). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import {
  currentLanguage,
  ENGLISH,
  i18nOf,
  msg,
  msgc,
  t,
  tc,
  translateMessage,
  translating,
} from '../../routers/base/language/i18n.js';
import { acceptedLanguage, LANGUAGES, type Language } from '../../routers/base/language/languages.js';
import { formatted, namesIn } from '../../routers/base/language/message.js';
import { rule } from '../../routers/base/language/rules.js';
import { localizableOfIssue, messageOf } from '../../routers/base/text/zod-messages.js';
import { ROOT } from '../support/root.js';
import { sourceFiles } from '../support/sources.js';
import { catalogueFile, readCatalogue, TRANSLATED, written } from '../support/texts/catalogues.js';
import { textOfKey, wrongWith } from '../support/texts/check.js';
import { textsOfSources } from '../support/texts/extract.js';
import { straysIn } from '../support/texts/strays.js';

/** What readers see: pages and their scripts, and mails. */
const SHOWN = /^(?:server\/(?:web|drivers\/mail\/templates)|client\/browser)\//;

/** Files whose words are for programs: headers, field names, addresses, styles, and the reference of the API. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set([
  'client/browser/diagram/frame.ts',
  'server/drivers/mail/templates/layout.ts',
  'server/web/apidocs/api-reference.ts',
  'server/web/apidocs/routes.tsx',
  'server/web/serving/assets.ts',
  'server/web/branding/routes.tsx',
  'server/web/components/form/names.ts',
  'server/web/mail/samples.ts',
  'server/web/image/placeholder.ts',
  'server/web/link/export.ts',
  'server/web/serving/policy.ts',
  'server/web/serving/serve.tsx',
]);

/** Languages that are still being translated; every other one has all texts. */
const UNFINISHED: readonly Language[] = [];

/** Texts that are the same in every language: names, and what only programs read. */
const SAME: ReadonlySet<string> = new Set([
  '(min-width: 64rem) 80vw, 100vw',
  'Discord',
  'Facebook',
  'Instagram',
  'Messenger',
  'Only format=json is available',
  'Reddit',
  'Slack',
  'Gotify',
  'UTC',
  'Apprise',
  'Snapchat',
  'Spotify',
  'Steam',
  'Telegram',
  'Threads',
  'Twitch',
  'input, textarea, select, [contenteditable], video, audio',
  'input, textarea, select, video, audio, [tabindex], [contenteditable]',
  'light dark',
]);

const texts = suite('texts');
const { found, unreadable } = textsOfSources();
const keys = new Set(found.map(({ key }) => key));

texts('every text for readers is said or marked, so that it is in the catalogues', () => {
  const files = sourceFiles().filter((path) => SHOWN.test(path) && !FOR_PROGRAMS.has(path));
  assert.ok(files.length > 100);
  const strays = files.flatMap(straysIn).filter(({ text }) => !SAME.has(text.replace(/^['"`]|['"`]$/g, '')));
  assert.equal(strays, [], 'write them as docs/languages.md says');
});

texts('every text can be read from the source, with the values that it needs', () => {
  assert.equal(unreadable, [], 'the text has to be a literal');
  for (const { key, place, values } of found) {
    const text = textOfKey(key);
    if (values === null || !/[{<]/.test(text) || (values.length === 0 && !/\{\w/.test(text))) continue;
    const needed = [...namesIn(text)].map((name) => name.replace(/[<>]/g, ''));
    assert.equal([...new Set(needed)].sort(), [...values].sort(), `${place}: ${text}`);
  }
});

for (const language of TRANSLATED) {
  const file = catalogueFile(language);
  texts(`${file} is sorted, and each of its texts can stand for the English one`, () => {
    const catalogue = readCatalogue(language);
    assert.is(readFileSync(join(ROOT, file), 'utf8'), written(catalogue), 'npm run texts sorts it');
    for (const [key, translation] of Object.entries(catalogue)) {
      const wrong = wrongWith(key, translation, language);
      assert.is(wrong, null, `${key}: ${wrong}`);
    }
  });
  if (UNFINISHED.includes(language)) continue;
  texts(`${file} has every text of the sources and no other`, () => {
    const known = Object.keys(readCatalogue(language));
    assert.equal(
      [...keys].filter((key) => !known.includes(key)),
      [],
      'missing',
    );
    assert.equal(
      known.filter((key) => !keys.has(key)),
      [],
      'no longer used',
    );
  });
}

texts('the language of a reader is the best one that the header asks for', () => {
  const cases: readonly (readonly [header: string | null, language: Language | null])[] = [
    [null, null],
    ['', null],
    ['*', null],
    ['fr, ja;q=0.9', null],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['fr-FR,sk;q=0.8,cs;q=0.9,en;q=0.1', 'cs'],
    ['uk;q=0.5, ru;q=0.5', 'uk'],
    ['en;q=0, pl;q=0.1', 'pl'],
    ['pl;q=0', null],
    ['de;q=nonsense, ru;q=0.2', 'ru'],
    [`${'xx,'.repeat(10_000)}de`, null],
  ];
  for (const [header, language] of cases) assert.is(acceptedLanguage(header), language, String(header));
});

texts('a text is said with its values, its plurals and its choices', () => {
  const files =
    '{n, plural, =0 {nothing} one {# file} other {# files}} of {who, select, me {yours} other {theirs}}';
  assert.is(formatted(files, { n: 0, who: 'me' }, 'en'), 'nothing of yours');
  assert.is(formatted(files, { n: 1, who: 'you' }, 'en'), '1 file of theirs');
  assert.is(formatted(files, { n: 12_345, who: 'you' }, 'en'), '12,345 files of theirs');
  const days = '{n, plural, one {# день} few {# дні} many {# днів} other {# дня}}';
  assert.equal(
    [1, 3, 5, 11, 21, 1.5].map((n) => formatted(days, { n }, 'uk')),
    ['1 день', '3 дні', '5 днів', '11 днів', '21 день', '1,5 дня'],
  );
  assert.is(formatted("it's '{'{name}'}' {n, number}", { name: 'x', n: 1234 }, 'de'), "it's {x} 1.234");
  for (const broken of ['{', '{n', '}', '{n, plural, one {x}}', '<a>x', '{n, other}', "'{"])
    assert.throws(() => namesIn(broken), undefined, broken);
  assert.throws(() => formatted('{name}', {}, 'en'));
});

texts(
  'a text is said in the language of what is being made, and in English where none is chosen',
  async () => {
    const german = await i18nOf('de');
    const greeting = msg('Sign in');
    const made = translating(german, () => [
      currentLanguage(),
      t('Sign in'),
      translateMessage(greeting),
      t('of no catalogue'),
    ]);
    assert.equal(made, ['de', 'Anmelden', 'Anmelden', 'of no catalogue']);
    const failing = (): never => {
      throw new Error('while it is made');
    };
    assert.throws(() => translating(german, failing), /while/);
    assert.equal([currentLanguage(), t('Sign in'), translateMessage(greeting)], ['en', 'Sign in', 'Sign in']);
    for (const language of LANGUAGES) assert.is((await i18nOf(language)).language, language);
  },
);

texts('a word with two meanings is said with its context, also from a constant', async () => {
  const sender = msgc('mail', 'From');
  const both = () => [translateMessage(sender), tc('mail', 'From'), tc('day', 'From')];
  assert.equal(both(), ['From', 'From', 'From']);
  assert.equal(translating(await i18nOf('ru'), both), ['От кого', 'От кого', 'С']);
  assert.is(
    translating(await i18nOf('ru'), () => translateMessage(msgc('of no catalogue', 'From'))),
    'From',
  );
});

texts('what a schema refuses is recognised by what it says in English, also in a union', async () => {
  const czech = await i18nOf('cs');
  const cases: readonly (readonly [schema: z.ZodType, input: unknown, english: string, czech: string])[] = [
    [z.object({ a: z.string() }), {}, 'a: is missing', 'a: Chybí'],
    [z.array(z.int()), [1.5], '0: must be a whole number', '0: Musí to být celé číslo'],
    [
      z.string().max(1_000),
      'x'.repeat(1_001),
      'must have at most 1000 characters',
      'Smí mít nejvýše 1000 znaků',
    ],
    [z.array(z.int()).min(2), [1], 'must have at least 2 entries', 'Musí mít aspoň 2 položky'],
    [z.enum(['a', 'b']), 'c', 'must be one of a, b', 'Musí být jedna z hodnot a, b'],
    [
      z.union([z.literal(''), z.string().max(3, rule('use at most {max} characters', { max: 3 }))]),
      'long',
      'use at most 3 characters',
      'Použijte nejvýše 3 znaky',
    ],
    [z.string().min(1, 'of no catalogue'), '', 'of no catalogue', 'of no catalogue'],
  ];
  for (const [schema, input, english, translated] of cases) {
    const [issue] = schema.safeParse(input, { error: messageOf }).error?.issues ?? [];
    assert.ok(issue, english);
    assert.equal(
      [ENGLISH.translate(localizableOfIssue(issue)), czech.translate(localizableOfIssue(issue))],
      [english, translated],
    );
  }
});

texts.run();
