/** What JSON costs its parser is known before it is parsed. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasFewParts } from '../../routers/base/text/json-parts.js';

const test = suite('parts of JSON');
const PADDING = ' '.repeat(20_000);
const max = { nests: 2, names: 3, values: 4 };
const fits = (json: string) => hasFewParts(PADDING + json, max);

test('lists, objects, names and values are counted', () => {
  assert.is(fits('[[1,2,3,4,5]]'), true);
  assert.is(fits('[[1,2,3,4,5,6]]'), false, 'values');
  assert.is(fits('[[[1]]]'), false, 'lists');
  assert.is(fits('{"a":{"b":{}}}'), false, 'objects');
  assert.is(fits('{"a":1,"b":2,"c":3}'), true);
  assert.is(fits('{"a":1,"b":2,"c":3,"d":4}'), false, 'names');
});

test('what is in strings is text, whatever they escape', () => {
  for (const text of ['[{:,'.repeat(9), '"'.repeat(9), '\\', '\\"[[[', '\\\\', '\\\\"[[[', '\u2028[[['])
    assert.is(fits(JSON.stringify({ a: text, b: [text] })), true, text);
  assert.is(fits('["\\\\",[[['), false, 'behind a string that ends with a backslash');
  assert.is(fits('["never ends [[[[['), true);
});

test('a short text is never looked through', () => {
  assert.is(hasFewParts('['.repeat(10_000), max), true);
});

test.run();
