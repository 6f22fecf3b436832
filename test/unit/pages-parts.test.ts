/** The parts of pages with logic: addresses, syntax colouring, placeholders. */
import { h } from 'preact';
import { render } from 'preact-render-to-string';
import sharp from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { safeNext } from '../../routers/base/local-path.js';
import { colour } from '../../server/drivers/highlight/colour.js';
import { createHighlighter } from '../../server/drivers/highlight/index.js';
import { languageByForm } from '../../server/drivers/highlight/language.js';
import { here, listPath, pictureOf, returnPath, signInPath, withQuery } from '../../server/web/address.js';
import { Code, isReordered } from '../../server/web/components/item/code.js';
import { Pager } from '../../server/web/components/list/pager.js';
import { duration, fileSize, ofLimit } from '../../server/web/format.js';
import { placeholderUrl } from '../../server/web/image/placeholder.js';

const highlight = createHighlighter();

const parts = suite('pages: parts');

parts('the redirect after signing in stays on this site', () => {
  for (const path of ['/', '/web/library', '/web/links?search=a%20b', '/web/links?to=//x'])
    assert.is(safeNext(path), path);
  const hostile = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '',
    'web',
    '/\t/evil.example',
    '/\t/[',
    '/.//evil.example',
    '/./\\evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/x/%2E%2e//evil.example',
    '/..//evil.example/%2e%2e',
    '//localhost//evil.example',
    `/${'é'.repeat(1_000)}`,
  ];
  for (const path of [...hostile, null, undefined]) {
    assert.is(safeNext(path), '/', String(path));
  }
});

parts('characters that change the order of a line are shown by name, and lose their effect', async () => {
  const text = await highlight('access = "user\u202e \u2066// admin\u2069 \u2066"\n', 'javascript');
  assert.ok(isReordered(text));
  const html = render(h(Code, { text, label: 'Text' }));
  assert.match(html, /<span class="codepoint" data-name="U\+202E">\u202e<\/span>/);
  assert.is(html.match(/class="codepoint"/g)?.length, 4);
  const family = await highlight('plain \u{1f469}\u200d\u{1f467} text', 'plaintext');
  assert.not.ok(isReordered(family));
  assert.not.match(render(h(Code, { text: family, label: 'Text' })), /codepoint/);
});

parts('the address of a list contains only active filters', () => {
  assert.is(listPath('/web/links', { search: '', page: 0 }), '/web/links');
  assert.is(listPath('/web/links', { search: 'a b&c', page: 2 }), '/web/links?search=a+b%26c&page=2');
});

parts('the return address of a page keeps its query, up to the maximum length', () => {
  assert.is(returnPath('/web/links', '?search=a%20b&page=2'), '/web/links?search=a+b&page=2');
  assert.is(returnPath('/web/links', '?done=saved'), '/web/links');
  assert.is(returnPath('/web/links', `?search=${'x'.repeat(2_000)}`), '/web/links');
  const way = returnPath('/web/links', `?search=${'x'.repeat(1_980)}`);
  assert.is(safeNext(way), way);
  assert.is(signInPath({ path: '/a', address: '/a?b=c' }), '/web/login?next=%2Fa%3Fb%3Dc');
  assert.is(signInPath({ path: '/web/login', address: '/web/login?next=%2Fa' }), '/web/login?next=%2Fa');
});

parts('addresses of this service are written without their host', () => {
  assert.is(here('https://hold.example/v1/image/get/A?x=1'), '/v1/image/get/A?x=1');
  assert.is(withQuery('/a', { password: 'p&q', none: null }), '/a?password=p%26q');
  assert.is(withQuery('/a?x=1', { y: '2' }), '/a?x=1&y=2');
});

parts('a picture from another site is never loaded', () => {
  assert.is(pictureOf({ uid: 7, avatar: 'https://elsewhere.example/me.png' }), '/v1/user/avatar/7');
  assert.is(pictureOf({ uid: 7, avatar: 'not an address' }), '/v1/user/avatar/7');
  assert.is(
    pictureOf({ uid: 7, avatar: 'https://hold.example/v1/user/avatar/7?v=2' }),
    '/v1/user/avatar/7?v=2',
  );
});

parts('coloured lines contain the escaped text, and close every span that they open', async () => {
  const text = 'const a = `<b>x\n</b>`; /* one\ntwo & three */\nreturn "<script>";';
  const coloured = await colour(text, 'typescript');
  assert.ok(coloured);
  const { lines, language } = coloured;
  assert.is(language, 'typescript');
  assert.is(lines.length, 4);
  for (const line of lines) {
    assert.is(line.match(/<span/g)?.length ?? 0, line.match(/<\/span>/g)?.length ?? 0, line);
    assert.is(line.replace(/<\/?span[^>]*>/g, '').includes('<'), false, line);
  }
  const plain = lines
    .map((line) => line.replace(/<[^>]*>/g, ''))
    .join('\n')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&');
  assert.is(plain, text);
});

parts('the language is guessed for code, but not for prose or long text', async () => {
  const code = 'import os\n\ndef main():\n    for name in os.listdir("."):\n        print(f"{name}")\n';
  assert.is((await colour(code, null))?.language, 'python');
  assert.is((await highlight('Dear Ann,\nthe tent is packed. See you on Tuesday.\n', null)).language, null);
  assert.is((await highlight(code.repeat(2_000), 'python')).language, null);
  assert.is(await colour(code, 'no-such-language'), null);
});

parts('a paste is coloured as what it is named, or stays plain', async () => {
  const prose = 'SELECT your seat, please; the train leaves at nine. (Bring a coat = it is cold.)\n';
  for (const language of ['plain', 'none', 'text', 'perl', 'haskell', 'r', 'log'])
    assert.is(await colour(prose.repeat(30), language), null, language);
  for (const [name, language] of [
    ['README.md', 'markdown'],
    ['src/Dockerfile', 'dockerfile'],
    ['Makefile', 'makefile'],
    ['tsconfig.json', 'json'],
    ['a.test.TS', 'typescript'],
    ['compose.yml', 'yaml'],
    ['LICENSE', null],
    ['LICENSE-MIT', null],
    ['notes.txt', null],
    ['script.pl', null],
    ['passwd', null],
  ] as const)
    assert.is(
      (await colour('import x from "y";\nconst a = 1;\n', null, name))?.language ?? null,
      language,
      name,
    );
  assert.is((await colour('a = 1', 'python', 'a.rb'))?.language, 'python', 'what was given comes first');
});

parts('without a name, the form of a text decides, and prose stays plain', async () => {
  const readme =
    '# Tool\n\nDoes **one** thing.\n\n```js\nimport tool from "tool";\nconst a = tool({ b: 1 });\n```\n';
  for (const [text, language] of [
    [readme, 'markdown'],
    [JSON.stringify({ name: 'x', list: [1, 2, { a: null }] }, null, 2), 'json'],
    ['[1, 2, 3]', 'json'],
    ['#!/usr/bin/env python3\nprint(1)\n', 'python'],
    ['root:x:0:0:root:/root:/bin/bash\nwww:x:33:33::/var/www:/bin/sh\n', null],
    ['<!DOCTYPE html><p>x</p>', 'xml'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', 'diff'],
    [
      'Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in it ' +
        'without restriction, including the rights to use, copy, modify, merge, publish, and to permit persons to whom ' +
        'the software is furnished to do so, subject to the following conditions: the above notice is included in all ' +
        'copies. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, FROM, OUT OF OR IN CONNECTION WITH IT.',
      null,
    ],
  ] as const)
    assert.is((await colour(text, null))?.language ?? null, language, text.slice(0, 30));
});

parts('records are plain however long they are, and one line with colons is none', () => {
  const records = Array.from({ length: 300 }, (_, id) => `user${id}:x:${id}:${id}:User:/home:/bin/sh`);
  for (let cut = 0; cut < 40; cut += 1)
    assert.is(languageByForm(`${'u'.repeat(cut)}${records.join('\n')}`), 'plaintext', `${cut}`);
  assert.is(languageByForm('int main() { a ? b : c ? d : e ? f : g; }\n'), null);
  assert.is(languageByForm(records.join(' ')), null);
  assert.is(languageByForm(''), null);
});

parts('colouring ends by itself if its parent dies', async () => {
  const coloured = colour('[a]('.repeat(25_000), 'markdown').then(
    () => true,
    () => false,
  );
  assert.is(await coloured, false);
});

parts(
  'a placeholder is a small picture with the colours of its thumbhash; invalid input gives none',
  async () => {
    const pixels = new Uint8Array(20 * 10 * 4).fill(255);
    for (let at = 0; at < pixels.length; at += 4) pixels.set([200, 30, 30], at);
    const url = placeholderUrl(Buffer.from(rgbaToThumbHash(20, 10, pixels)).toString('base64')) ?? '';
    assert.ok(url.length < 1_000);
    const { data, info } = await sharp(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'))
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.is(info.width, 12);
    assert.ok(info.height >= 5 && info.height <= 7);
    assert.ok((data[0] ?? 0) > 150 && (data[1] ?? 255) < 90);
    for (const hash of [null, '', 'AA', 'x'.repeat(400)]) assert.is(placeholderUrl(hash), null);
  },
);

parts('durations and counts are human-readable', () => {
  assert.is(duration(65_000), '1:05');
  assert.is(duration(3_723_000), '1:02:03');
  assert.is(ofLimit(1, 10), '1 of 10');
  assert.is(ofLimit(2_000, null), '2,000');
  assert.equal([1023, 1536, 200 * 1024].map(fileSize), ['1023 B', '1.5 KB', '200 KB']);
});

parts('the links to neighbouring pages are named after the sort order', () => {
  const list = { items: ['a'], total: 3, page: 1, pageSize: 1 };
  const href = (page: number) => `/list?page=${page}`;
  const text = (props: object) => render(h(Pager, { list, href, ...props })).replace(/<[^>]*>/g, ' ');
  assert.match(text({}), /Newer .* 2–2 of 3 .* Older/);
  assert.match(text({ newestFirst: false }), /Previous .* 2–2 of 3 .* Next/);
});

parts('past the end of a list there is only a link to its last page', () => {
  const html = (total: number) =>
    render(
      h(Pager, { list: { items: [], total, page: 9, pageSize: 50 }, href: (page) => `/list?page=${page}` }),
    );
  assert.equal(html(59).match(/href="[^"]*"/g), ['href="/list?page=1"']);
  assert.match(html(59), /Past the last page, 59 in total/);
  assert.equal(html(1).match(/href="[^"]*"/g), ['href="/list?page=0"']);
  assert.is(html(0), '');
});

parts.run();
