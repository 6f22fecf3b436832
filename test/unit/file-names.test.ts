import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { guessDecoder } from '../../routers/base/text/charset.js';
import { dispositionHeader } from '../../routers/core/items/file-names.js';

const headers = suite('Content-Disposition: a name that every client can read');

const NAMES: readonly (readonly [name: string, ascii: string])[] = [
  ['photo.png', 'photo.png'],
  ['Größe.png', 'Grosse.png'],
  ['crème brûlée (1).jpg', 'creme brulee (1).jpg'],
  ['Łódź øre.txt', 'Lodz ore.txt'],
  ['予定表.png', 'ID123.png'],
  ['Фото 1.jpg', '1.jpg'],
  ['📷.zip', 'ID123.zip'],
  ['a "good" one.gif', 'a _good_ one.gif'],
  ['50%41 off?.txt', '50_41 off_.txt'],
  ['<script>.gif', '_script_.gif'],
];
for (const [name, ascii] of NAMES) {
  headers(`${name}: ${ascii}`, () => {
    const header = dispositionHeader('attachment', name, 'ID123');
    const [, plain, extended] =
      /^attachment; filename="([^"\\?]*)"(?:; filename\*=UTF-8''(\S*))?$/.exec(header) ?? [];
    assert.is(plain, ascii);
    assert.is(decodeURIComponent(extended ?? plain ?? ''), name);
  });
}
headers.run();

const guesses = suite('names in a code page that nobody names are recognised');

/** Names in hexadecimal, as programs of each system write them. */
const GUESSES: readonly (readonly [usual: 'dos' | 'windows', bytes: string, name: string])[] = [
  ['windows', '4772f6df652e706e67', 'Größe.png'],
  ['windows', '8cc490bb', '呼製'],
  ['dos', '4772 94 e1 65 2e706e67', 'Größe.png'],
  ['dos', '63 61 66 82', 'café'],
  ['dos', '636f726187c66f', 'coração'],
  ['dos', '945c 93 fa 967b 8cea 2e6a7067', '能日本語.jpg'],
  ['dos', '83 5c 2e 70 6e 67', 'ソ.png'],
  ['dos', 'd5d5c6ac2e6a7067', '照片.jpg'],
  ['dos', '94aee2ae2e6a7067', 'Фото.jpg'],
  ['windows', 'd4eef2ee2e6a7067', 'Фото.jpg'],
  ['dos', 'bbe7c1f82e6a7067', '사진.jpg'],
  ['dos', 'c3a92e6a7067', 'é.jpg'],
];
for (const [usual, bytes, name] of GUESSES) {
  guesses(`${name} (${usual})`, () => {
    const raw = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    assert.is(guessDecoder([raw], usual)(raw), name);
  });
}

guesses('all names together decide about one that could be several', () => {
  const names = ['89c6', '8ee88e96', '82a0'].map((hex) => Buffer.from(hex, 'hex'));
  assert.is(guessDecoder(names, 'dos')(names[0] ?? Buffer.of()), '家');
});
guesses.run();
