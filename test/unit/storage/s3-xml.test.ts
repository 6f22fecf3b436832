import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { elements, firstText } from '../../../server/drivers/storage/s3/xml.js';

const test = suite('s3 xml');

test('elements are found whatever surrounds them', () => {
  const xml = `<?xml version="1.0"?>
    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Contents><Key>one</Key></Contents><Contents>
        <Key>two</Key></Contents><ContentsNot/></ListBucketResult>`;
  assert.equal(
    elements(xml, 'Contents').map((part) => firstText(part, 'Key')),
    ['one', 'two'],
  );
  assert.equal(elements(xml, 'Nothing'), []);
  assert.is(firstText(xml, 'Nothing'), null);
  assert.is(firstText('', 'Key'), null);
});

test('entities in text are decoded', () => {
  assert.is(firstText('<T>a&amp;lt; &#x41;&#66; &quot;&unknown;</T>', 'T'), 'a&lt; AB "&unknown;');
});

test.run();
