// on both databases
/** Searches by words: what they find, whom they tell, and that the index follows every change. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

interface World {
  server: TestServer;
  user: TestAccount;
  other: TestAccount;
}
const test = suite<World>('finding');
test.before(async (world) => {
  world.server = await startServer({ TRASH_DAYS: '7' });
});
test.before.each(async (world) => {
  world.user = await world.server.account();
  world.other = await world.server.account();
});
test.after(({ server }) => server.close());

const ok = async (answer: ReturnType<TestServer['request']>) => {
  const { status, body } = await answer;
  assert.is(status, 200, JSON.stringify(body));
  return body;
};
const paste = async ({ server, user }: World, json: object) =>
  (await ok(server.request('POST', '/paste/create', { key: user.key, json }))).uniqueId as string;
const link = async ({ server, user }: World, json: object) =>
  (await ok(server.request('POST', '/url/create', { key: user.key, json }))).uniqueId as string;
const file = async ({ server, user }: World, name: string, fields: Record<string, string> = {}) =>
  (
    await ok(
      server.request('POST', '/image/upload', { key: user.key, form: fileForm('some bytes', name, fields) }),
    )
  ).uniqueId as string;

/** The titles that the caller's items have which a search finds, in alphabetical order, and how many it says there are. */
async function found({ server, user }: World, search: string, key = user.key, more = '') {
  const path = `/user/get/@me/items?search=${encodeURIComponent(search)}${more}`;
  const { message } = await ok(server.request('GET', path, { key }));
  const titles = message.content.map(({ title }: { title: string }) => title).sort();
  assert.is(message.totalElements, titles.length, 'the total is what is found');
  return titles;
}
/** The ids that an administrator finds. */
async function moderated({ server }: World, kind: string, search: string, more = '') {
  const path = `/admin/${kind}?search=${encodeURIComponent(search)}${more}`;
  const { message } = await ok(server.request('GET', path, { key: server.owner.key }));
  const ids = message.content.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
  assert.is(message.totalElements, ids.length);
  return ids;
}

test('every word occurs, from its beginning; quoted words in order; excluded words nowhere', async (world) => {
  await paste(world, { title: 'one', text: 'The quick brown fox jumps over the lazy dog' });
  await paste(world, { title: 'two', text: 'A brown and quick animal.' });
  await paste(world, { title: 'three', text: 'Breakfast' });
  assert.equal(await found(world, 'quick brown'), ['one', 'two']);
  assert.equal(await found(world, 'BRO qui'), ['one', 'two']);
  assert.equal(await found(world, 'rown'), [], 'not from the middle');
  assert.equal(await found(world, '"quick brown"'), ['one']);
  assert.equal(await found(world, '"brown quick'), [], 'an open quotation ends with the text');
  assert.equal(await found(world, '"quick bro"'), [], 'quoted words are whole');
  assert.equal(await found(world, 'quick -fox'), ['two']);
  assert.equal(await found(world, 'quick -"quick brown" animal'), ['two']);
  assert.equal(await found(world, '-quick'), ['three']);
  assert.equal(await found(world, 'quick -an'), ['one']);
  assert.equal(await found(world, 'quick absent'), []);
});

test('a text without a word finds nothing, and the language of the database means nothing', async (world) => {
  await paste(world, { title: 'one', text: 'some text: NEAR OR AND NOT x' });
  for (const search of ['!!!', '""', '-', '"', '%', '*', '()', '----', "'", '-""', '🙂'])
    assert.equal(await found(world, search), [], search);
  for (const search of [
    'some*',
    'some (text)',
    "some 'text'",
    'NEAR',
    'or',
    'some:text',
    'some & text',
    '^some',
  ])
    assert.equal(await found(world, search), ['one'], search);
  for (const search of ["'; DROP TABLE pastes", 'own : x', '{shown} : some', 'some <-> text', '#o1'])
    await found(world, search);
  const long = `/user/get/@me/items?search=${'x'.repeat(201)}`;
  assert.is((await world.server.request('GET', long, { key: world.user.key })).status, 400);
});

test('letters of every script and case, and scripts without spaces', async (world) => {
  await paste(world, { title: 'cs', text: 'Příliš žluťoučký kůň' });
  await paste(world, { title: 'de', text: 'Die Straße nach Köln' });
  await paste(world, { title: 'el', text: 'Ο ΟΔΟΣ μακρύς' });
  await paste(world, { title: 'ru', text: 'Съешь ЁЩЁ этих булок' });
  await paste(world, { title: 'zh', text: '我喜欢吃苹果和梨' });
  await paste(world, { title: 'th', text: 'ภาษาไทยไม่มีช่องว่าง' });
  await paste(world, { title: 'hi', text: 'हिन्दी भाषा' });
  await paste(world, { title: 'ko', text: '한국어 문장' });
  const pairs = {
    cs: ['ŽLUŤ', 'příliš kůň', 'z\u030Cluť'],
    de: ['STRASSE', 'köln', 'strasse KÖ'],
    el: ['οδός'.normalize('NFD').replace(/\p{M}/gu, ''), 'ΟΔΟΣ', 'μακ'],
    ru: ['ещё'.slice(1), 'ёщё', 'СЪЕШЬ'],
    zh: ['苹果', '喜欢吃', '"我喜欢"'],
    th: ['ไทย', 'ภาษา'],
    hi: ['हिन्दी', 'हिन'],
    ko: ['한국', '문장'],
  };
  for (const [title, searches] of Object.entries(pairs))
    for (const search of searches.filter((text) => text !== 'щё'))
      assert.equal(await found(world, search), [title], search);
});

test('accents count neither in what is searched for nor in what is found', async (world) => {
  await paste(world, { title: 'cs', text: 'Příliš žluťoučký kůň' });
  await paste(world, { title: 'de', text: 'Reise nach Köln, Weißer Straße, im café' });
  await paste(world, { title: 'el', text: 'Ο μακρύς δρόμος' });
  await paste(world, { title: 'pl', text: 'ZAŻÓŁĆ gęślą jaźń' });
  await paste(world, { title: 'plain', text: 'strasbourg resume naive' });
  await paste(world, { title: 'ru', text: 'Всё про ёлки, мой дом' });
  await paste(world, { title: 'sk', text: 'vĺčie ľadové vŕby' });
  await paste(world, { title: 'xx', text: 'Đorđe Ærø smörgåsbord' });
  await file(world, 'Výlet do Łodzi.txt', { tags: 'Léto' });
  const pairs = {
    cs: ['prilis zlutoucky kun', 'PŘILIŠ', '"zlutoucky kun"', 'kún'],
    de: ['koln', 'KÖLN', 'strasse', 'cafe', 'café', 'weisser'],
    el: ['μακρυς', 'ΔΡΟΜΟΣ'],
    pl: ['zazolc gesla', 'żażółć'],
    plain: ['résumé', 'naïve'],
    ru: ['все елки', 'ёлки', 'мой'],
    sk: ['vlcie ladove vrby'],
    xx: ['dorde', 'aero', 'smorgasbord'],
    'Výlet do Łodzi.txt': ['vylet lodzi', 'lodz', 'leto'],
  };
  for (const [title, searches] of Object.entries(pairs))
    for (const search of searches) assert.equal(await found(world, search), [title], search);
  assert.equal(await found(world, 'мои'), [], 'й is a letter of its own');
  assert.equal(await found(world, 'kun -zlutoucky'), []);
});

test('names, descriptions, ids, targets, notes and tags are found, too', async (world) => {
  await file(world, 'Holiday_2024-report.pdf.txt', { desc: 'Beach in summer', uniqueId: 'my-own-id' });
  await link(world, {
    url: 'https://shop.example.com/Cherry/cake?size=large',
    note: 'ask Grandma',
    tags: ['Dark red', 'Fruit'],
  });
  const name = 'Holiday_2024-report.pdf.txt';
  for (const search of [
    'holiday',
    '2024',
    'report.pdf',
    'Holiday_2024-report.pdf.txt',
    'beach summer',
    'my-own-id',
  ])
    assert.equal(await found(world, search), [name], search);
  const target = 'https://shop.example.com/Cherry/cake?size=large';
  for (const search of [
    'cherry',
    'example.com',
    target,
    'grandma',
    'fruit',
    '"dark red"',
    'dark cherry ask',
    'frui',
  ])
    assert.equal(await found(world, search), [target], search);
  assert.equal(await found(world, 'cake -fruit'), []);
  assert.equal(await found(world, '"red fruit"'), [], 'tags are apart');
  assert.equal(await found(world, '"txt beach"'), [], 'a phrase is within one text');
  assert.equal(await found(world, 'fruit', world.other.key), []);
});

test('a long text is found from its first word to its last, and phrases anywhere', async (world) => {
  const words = Array.from({ length: 20_000 }, (_, index) => `w${index} the`);
  await paste(world, { title: 'long', text: `Begin ${words.join(' ')} the end` });
  for (const search of [
    'begin',
    'w19999',
    'begin w10000 w19999',
    '"the w3999 the w4000"',
    '"w3950 the"',
    '"the end"',
  ])
    assert.equal(await found(world, search), ['long'], search);
  assert.equal(await found(world, 'begin -w19999'), []);
  assert.equal(await found(world, 'begin w20001'), []);
  assert.equal(await found(world, '"w5 w6"'), []);
  // Every word of a text of the largest size is another one.
  const all = Array.from({ length: 100_000 }, (_, index) => index.toString(36).padStart(8, 'q')).join(' ');
  await paste(world, { title: 'dense', text: all });
  assert.equal(await found(world, (99_999).toString(36).padStart(8, 'q')), ['dense']);
  await paste(world, { title: 'one word', text: 'x'.repeat(1024 * 1024) });
  assert.equal(await found(world, 'x'.repeat(150)), ['one word']);
});

test('the index follows changes, the trash, restoring and deletion', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const id = await paste(world, { title: 'first', text: 'apple' });
  const change = (json: object) => ok(server.request('PATCH', `/paste/get/${id}`, { key, json }));
  await change({ text: 'banana' });
  assert.equal([await found(world, 'apple'), await found(world, 'banana')], [[], ['first']]);
  await change({ title: 'second' });
  assert.equal([await found(world, 'first'), await found(world, 'second')], [[], ['second']]);
  await ok(server.request('POST', `/paste/get/${id}/revisions/1/restore`, { key }));
  assert.equal(await found(world, 'apple'), ['first']);
  await ok(server.request('PATCH', `/paste/get/${id}`, { key, json: { tags: ['kept', 'lost'] } }));
  assert.equal(await found(world, 'kept lost'), ['first']);
  await ok(server.request('PATCH', '/user/get/@me/tags/kept', { key, json: { tag: 'saved' } }));
  assert.equal([await found(world, 'kept'), await found(world, 'saved')], [[], ['first']]);
  await ok(server.request('PATCH', '/user/get/@me/tags/lost', { key, json: { tag: 'Saved' } }));
  assert.equal([await found(world, 'lost'), await found(world, 'saved')], [[], ['first']]);
  await ok(server.request('DELETE', '/user/get/@me/tags/saved', { key }));
  assert.equal(await found(world, 'saved'), []);
  await ok(server.request('DELETE', `/paste/get/${id}`, { key }));
  assert.equal(await found(world, 'apple'), []);
  assert.equal(await moderated(world, 'pastes', 'apple'), []);
  assert.equal(await moderated(world, 'pastes', 'apple', '&trashed=true'), [id]);
  await ok(server.request('POST', `/user/get/@me/trash/paste/${id}/restore`, { key }));
  assert.equal(await found(world, 'apple'), ['first']);
  await ok(server.request('DELETE', `/paste/get/${id}?permanent=true`, { key }));
  assert.equal(await found(world, 'apple'), []);
  const short = await link(world, { url: 'https://example.com/there', uniqueId: 'before-that' });
  await ok(
    server.request('PATCH', `/url/get/${short}`, { key, json: { uniqueId: 'after-that', note: 'noted' } }),
  );
  assert.equal(await found(world, 'before-that'), []);
  assert.equal(await found(world, 'after-that noted'), ['https://example.com/there']);
  const picture = await file(world, 'before.txt');
  await ok(
    server.request('PUT', `/image/get/${picture}`, { key, form: fileForm('other bytes', 'after.txt') }),
  );
  await ok(
    server.request('PATCH', `/image/get/${picture}`, {
      key,
      json: { originalName: 'later.txt', desc: 'sunny' },
    }),
  );
  assert.equal([await found(world, 'later sunny'), await found(world, 'before')], [['later.txt'], []]);
});

test('only their owner finds protected texts, notes and tags; nobody finds burn pastes', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const open = await paste(world, { title: 'open', text: 'zebra one' });
  await ok(server.request('PATCH', `/paste/get/${open}`, { key, json: { tags: ['stripes'] } }));
  const shut = await paste(world, { title: 'shut', text: 'zebra two', password: 'secret' });
  await paste(world, { title: 'burns', text: 'zebra three', burnAfterRead: true, burn: true });
  const url = await link(world, { url: 'https://zebra.example/', note: 'lion', tags: ['cat'] });
  const closed = await link(world, { url: 'https://zebra.example/closed', password: 'secret' });
  const named = await file(world, 'zebra.txt', { password: 'secret' });
  assert.is((await found(world, 'zebra')).length, 5);
  assert.equal(await moderated(world, 'pastes', 'zebra'), [open]);
  assert.equal(await moderated(world, 'urls', 'zebra'), [url]);
  assert.equal(await moderated(world, 'images', 'zebra'), []);
  for (const search of ['lion', 'cat', 'stripes', 'shut']) {
    assert.equal(await moderated(world, 'urls', search), [], search);
    assert.equal(await moderated(world, 'pastes', search), [], search);
  }
  assert.equal(await moderated(world, 'pastes', shut), [shut], 'an id is known to administrators');
  assert.equal(await moderated(world, 'urls', closed), [closed]);
  assert.equal(await moderated(world, 'images', named), [named]);
  // A password that comes or goes changes that.
  await ok(server.request('PATCH', `/paste/get/${shut}`, { key, json: { password: '' } }));
  await ok(server.request('PATCH', `/paste/get/${open}`, { key, json: { password: 'secret' } }));
  assert.equal(await moderated(world, 'pastes', 'zebra'), [shut]);
  assert.is((await found(world, 'zebra')).length, 5);
  // Its owner as an administrator sees no more there, and others see nothing.
  assert.equal(await found(world, 'zebra', world.other.key), []);
  assert.equal(await moderated(world, 'pastes', 'zebra -two'), []);
});

test('filters and orders hold among what is found', async (world) => {
  await file(world, 'Kiwi b.txt');
  await file(world, 'kiwi a.txt', { private: 'false' });
  await paste(world, { title: 'kiwi c', text: 'long text', password: 'secret' });
  assert.equal(await found(world, 'kiwi', world.user.key, '&kind=paste'), ['kiwi c']);
  assert.equal(await found(world, 'kiwi', world.user.key, '&visibility=protected'), ['kiwi c']);
  assert.equal((await found(world, 'kiwi', world.user.key, '&kind=image')).length, 2);
  const path = '/user/get/@me/items?search=kiwi&sort=name&size=2&page=1';
  const { message } = await ok(world.server.request('GET', path, { key: world.user.key }));
  assert.equal([message.totalElements, message.content.length, message.content[0].title], [3, 1, 'kiwi c']);
  const beyond = await ok(world.server.request('GET', path.replace(/1$/, '7'), { key: world.user.key }));
  assert.equal([beyond.message.totalElements, beyond.message.content.length], [3, 0]);
});

test('an own search shows what the text says around the words, and the page marks them', async (world) => {
  const { server, user } = world;
  const { key } = user;
  const far = `${'before '.repeat(100)}the <b>Needle</b> lies here${' after'.repeat(100)}`;
  const id = await paste(world, { title: 'far', text: far, password: 'secret' });
  const tags = ['Hay & <i>stack</i>'];
  await ok(server.request('PATCH', `/paste/get/${id}`, { key, json: { tags } }));
  await link(world, { url: 'https://example.com/needle', note: 'my needles' });
  await file(world, 'needle.txt', { desc: 'no such word' });
  await paste(world, { title: 'read once needle', text: 'needle', burn: true });
  const path = '/user/get/@me/items?search=needle&sort=name';
  const { message } = await ok(server.request('GET', path, { key }));
  const by = Object.fromEntries(
    message.content.map(({ kind, snippet }: { kind: string; snippet: unknown }) => [kind, snippet]),
  );
  assert.is(message.content.length, 3);
  const { text, marks } = by.paste;
  assert.match(text, /^… (before )+the <b>Needle<\/b> lies here( after)+.* …$/);
  assert.equal(
    marks.map(([from, to]: [number, number]) => text.slice(from, to)),
    ['Needle'],
  );
  assert.equal(by.url, { text: 'my needles', marks: [[3, 10]] });
  assert.is(by.image, null, 'its name was found');
  const plain = await ok(server.request('GET', '/user/get/@me/items', { key }));
  assert.not.ok(
    plain.message.content.some((item: object) => 'snippet' in item),
    'only where one searches',
  );
  const headers = { accept: 'text/html' };
  const shown = await server.request('GET', '//web/find?search=needle', { key, headers });
  assert.is(shown.status, 200);
  assert.ok(shown.text.includes('<mark>Needle</mark>'));
  assert.ok(shown.text.includes('&lt;b>') || shown.text.includes('&lt;b&gt;'), 'texts are texts');
  assert.not.ok(shown.text.includes('<i>stack'));
  const ofTag = await server.request('GET', `//web/find?tag=${encodeURIComponent('Hay & <i>stack</i>')}`, {
    key,
    headers,
  });
  assert.ok(ofTag.text.includes('far') && !ofTag.text.includes('needle.txt'));
  const none = await server.request('GET', '//web/find?search=needle&kind=x', {
    key: world.other.key,
    headers,
  });
  assert.ok(none.text.includes('Nothing matches'));
});

test('a key that may not read items of a kind gets none of their texts', async (world) => {
  const { server, user } = world;
  await paste(world, { title: 'plan', text: 'the hidden plan' });
  const snippets = async (scopes: string[], asVisitor = false) => {
    const made = await ok(
      server.request('POST', '/user/get/@me/keys', { key: user.key, json: { name: 'k', scopes, asVisitor } }),
    );
    const { message } = await ok(
      server.request('GET', '/user/get/@me/items?search=plan', { key: made.message.key }),
    );
    return message.content.map(({ snippet }: { snippet: { text: string } | null }) => snippet?.text ?? null);
  };
  assert.equal(await snippets(['account:read', 'pastes:read']), ['the hidden plan']);
  assert.equal(await snippets(['account:read', 'images:read']), [null]);
});

test.run();
