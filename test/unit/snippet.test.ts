/** A snippet marks what a search asks for, in every script, and nothing else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { snippetOf } from '../../db/search/snippet.js';

const test = suite('snippets');

const marked = (text: string, search: string): string[] => {
  const snippet = snippetOf(text, search);
  assert.ok(snippet);
  return snippet.marks.map(([from, to]) => snippet.text.slice(from, to));
};

for (const [script, text, search, found] of [
  ['Chinese', '我们在北京大学学习中文。', '北京', ['北京']],
  ['Chinese, a character of it elsewhere', '京都不是北京，北方很冷', '北京', ['北京']],
  ['Japanese', '日本語のテストです。本と語', '本語', ['本語']],
  ['Japanese with Latin', 'これはHoldallのテスト', 'hold', ['Holdall']],
  ['Thai', 'ภาษาไทยเขียนโดยไม่มีช่องว่าง', 'ไทย', ['ไทย']],
  ['Korean', '한국어 문서를 찾습니다', '문서', ['문서를']],
  ['words with spaces', 'one two three, twofold', 'two', ['two', 'twofold']],
  ['words in order', 'red box, box red, red box', '"box red"', ['box red']],
  ['what is excluded', 'red box', 'red -box', ['red']],
  ['German without accents', 'Reise nach Köln, KÖLNER Dom', 'koln', ['Köln', 'KÖLNER']],
  ['Polish without accents', 'zażółć gęślą jaźń w Łodzi', 'gesla lodz', ['gęślą', 'Łodzi']],
  ['accents that only the search has', 'Reise nach Koln', 'köln', ['Koln']],
  ['accents as marks of their own', 'un cafe\u0301 noir', 'café', ['cafe\u0301']],
  ['a letter that becomes two', 'ein Æther hier', 'aether', ['Æther']],
  ['Russian', 'Ещё ёлка, ели', 'еще елка', ['Ещё', 'ёлка']],
  ['Greek', 'Ο μακρύς δρόμος', 'μακρυς', ['μακρύς']],
  ['other cases and forms', 'STRASSE und Straße', 'straße', ['STRASSE', 'Straße']],
] as const)
  test(`${script}: exactly what was found is marked`, () => {
    assert.equal(marked(text, search), found);
  });

test('a long text without spaces is cut around what was found, between characters', () => {
  const snippet = snippetOf(`${'𠀀'.repeat(200)}目標${'後'.repeat(400)}`, '目標');
  assert.ok(snippet);
  assert.ok(snippet.text.length <= 210);
  assert.ok(snippet.text.isWellFormed());
  assert.equal(
    snippet.marks.map(([from, to]) => snippet.text.slice(from, to)),
    ['目標'],
  );
});

test('a text in which nothing was found has none', () => {
  for (const search of ['else', '-else', '-beginning', '!'])
    assert.is(snippetOf('only the beginning', search), null, search);
  assert.is(snippetOf(' \n ', 'else'), null);
});

test.run();
