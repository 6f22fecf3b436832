import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FileFormat, FORMATS, storedExtension } from '../../../routers/base/ports/media/formats.js';
import { driverOf } from '../../../server/drivers/media/formats/index.js';
import { ROOT } from '../../../server/shared/root.js';
import { sourceFiles } from '../../support/sources.js';

const formats = suite('media: the list of formats');
const all = Object.entries<FileFormat>(FORMATS);

formats('an extension names one format, and its type says of what kind it is', () => {
  const names = all.flatMap(([, format]) => format.names);
  assert.is(new Set(names).size, names.length);
  for (const [extension, { kind, mimeType, alias = 'jpeg' }] of all) {
    assert.match(extension, /^[a-z0-9]{2,4}$/);
    assert.match(mimeType, kind === 'other' || extension === 'mxf' ? /^[a-z]+\/[a-z-]+$/ : `${kind}/`);
    assert.ok(storedExtension(alias) in FORMATS && !(alias in FORMATS), alias);
  }
});

formats('a picture that pages contain as a rendition can be decoded', () => {
  for (const [extension, { shownBy }] of all)
    if (shownBy === 'few') assert.ok(driverOf(extension).decoding, extension);
});

formats('what is decoded is recognised, and its size is read before', () => {
  for (const [extension] of all) {
    const { decoding, is, read } = driverOf(extension);
    if (decoding !== undefined) assert.ok(is && read, extension);
  }
});

/** Files that name several formats and are no list of what is stored. */
const OTHER_LISTS = [
  // What renditions and the tools for pictures write, by the names of the interface.
  'routers/base/ports/media/media.ts',
  'routers/base/ports/media/picture-tools.ts',
  'routers/features/tools/options.ts',
  'server/drivers/media/index.ts',
  // The same of the tools for videos.
  'routers/base/ports/media/video-tools.ts',
  'server/drivers/media/video/arguments.ts',
  'server/drivers/media/video/containers.ts',
  'server/drivers/media/workers/picture-tool.ts',
  'server/drivers/media/workers/rendition.ts',
  // Files of the pages, and pictures inside of drawings.
  'server/web/serving/assets.ts',
  // Files attached to mails, and pictures shown in them.
  'server/drivers/mail/reading/words.ts',
  'server/web/mail/pictures.ts',
  'server/drivers/media/workers/picture.ts',
  // What browsers show of something sealed, whose type no server has looked at; pictures in notebooks.
  'client/browser/sealed/media.ts',
  'server/drivers/markdown/notebook.ts',
  // What Picsur calls the types of its pictures.
  'server/operations/import/sources/picsur.ts',
];

const HOME = /^(routers\/base\/ports\/media\/formats\.ts|server\/drivers\/media\/formats\/.*)$/;
/** Common words. */
const WORDS = ['raw', 'bin', 'txt', 'mid'];

/** The formats that a source names in quotes or in an expression, as an extension or a type. */
function formatsIn(file: string): number {
  const words = readFileSync(join(ROOT, file), 'utf8').matchAll(/(?<=['"/|(.])[a-z0-9.+-]{2,24}(?=['"|);])/g);
  const found = [...words].map(([word]) => {
    const typed = all.find(([, { mimeType }]) => mimeType.endsWith(`/${word}`))?.[0];
    return typed ?? storedExtension(word);
  });
  return new Set(found.filter((name) => name in FORMATS && !WORDS.includes(name))).size;
}

formats('no other product file lists formats', () => {
  const lists = sourceFiles().filter((file) => !HOME.test(file) && formatsIn(file) > 2);
  assert.equal(lists.toSorted(), OTHER_LISTS.toSorted());
});

formats.run();
