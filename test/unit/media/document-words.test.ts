/** Words of documents: what counts, and that no document keeps the reader busy, large or alive. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMedia } from '../../../server/drivers/media/index.js';
import { createLogs } from '../../../server/runtime/logger.js';
import { docx, encryptedPdf, epub, odt, pdf, pptx, xlsx } from '../../support/media/documents.js';
import { mediaFolder } from '../../support/media/media-fixtures.js';

const folder = await mediaFolder();
const media = createMedia({ tempDir: `${folder.root}/temp`, log: createLogs('silent').log });
const words = async (bytes: Buffer, type: string) => media.documentWords(await folder.put(bytes), type);

const test = suite('media: words of documents');
test.after(() => folder.remove());

test('every kind says its words, whole and apart, and nothing that is no text', async () => {
  const text = 'Wonderful Žďár & <Größe>';
  assert.is(await words(docx(text), 'docx'), text);
  assert.is(await words(odt(text), 'odt'), `${text}\nafter`);
  assert.is(await words(pptx(text), 'pptx'), text);
  assert.is(await words(epub(text), 'epub'), `Chapter\n${text}`);
  assert.is(await words(xlsx(text), 'xlsx'), `${text}\n4711.5`);
  assert.is(await words(pdf(['First page', 'Second (page)']), 'pdf'), 'First page\nSecond (page)');
});

test('what is named like a document is recognised as one', async () => {
  const types = [];
  for (const made of [docx('a'), odt('a'), pptx('a'), epub('a'), xlsx('a'), pdf(['a'])])
    types.push((await media.probe(await folder.put(made))).extension);
  assert.equal(types, ['docx', 'odt', 'pptx', 'epub', 'xlsx', 'pdf']);
});

test('a document of more words than count has the first as they stand, and each further word once', async () => {
  const page = 'again and '.repeat(40_000);
  const read = await words(docx(`${page}lastword`), 'docx');
  assert.ok(read?.endsWith('lastword'));
  assert.ok((read?.length ?? 0) < 300_000);
  const endless = docx('a', { 'word/footnotes.xml': `<w:p><w:t>${'word '.repeat(5_000_000)}</w:t></w:p>` });
  assert.ok(((await words(endless, 'docx'))?.length ?? 0) < 300_000);
});

test('10,000 pages are read as far as there is time', async () => {
  const read = await words(pdf(Array.from({ length: 10_000 }, (_, index) => `page${index}`)), 'pdf');
  assert.ok(read === null || read.startsWith('page0\npage1\n'));
});

test('what is encrypted or damaged has no words, and scripts of a PDF do not run', async () => {
  assert.is(await words(encryptedPdf('secret'), 'pdf'), null);
  assert.is(await words(Buffer.from('%PDF-1.7\nnothing'), 'pdf'), null);
  assert.is(await words(Buffer.from('no zip'), 'docx'), null);
  assert.is(await words(docx('Truncated words').subarray(0, 200), 'docx'), null);
  const script = { open: '/OpenAction << /S /JavaScript /JS (while (true) {}) >>' };
  assert.is(await words(pdf(['Visible'], script), 'pdf'), 'Visible');
});

test('a bomb is refused, and the reader reads the next document', async () => {
  const bomb = docx('a', { 'word/footnotes.xml': ' '.repeat(200_000_000) });
  await words(bomb, 'docx');
  const attribute = docx('b', { 'word/footnotes.xml': `<w:p a="${'x'.repeat(200_000_000)}"/>` });
  await words(attribute, 'docx');
  const deep = docx('c', { 'word/footnotes.xml': '<w:t>'.repeat(3_000_000) });
  await words(deep, 'docx');
  assert.is(await words(docx('Still alive'), 'docx'), 'Still alive');
});

test.run();
