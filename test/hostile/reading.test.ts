/** Pictures and documents that are made to keep the reader busy: each ends, nothing fails, and the next one is read. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { query } from '../../db/engine/query.js';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { docx, encryptedPdf, pdf } from '../support/media/documents.js';
import { screen } from '../support/media/screens.js';

interface World {
  server: TestServer;
}
const test = suite<World>('hostile: what is read for searches');
test.before(async (world) => {
  world.server = await startServer({ OCR: 'eng' });
});
test.after(({ server }) => server.close());

/** `HOLDALL_MANY_WORDS=10000` tries as many as are kept, which takes minutes of processor. */
const MANY = Number(process.env.HOLDALL_MANY_WORDS ?? 800);
async function fullOfWords(): Promise<Buffer> {
  const rows = Array.from({ length: MANY / 80 }, (_, row) => {
    const words = Array.from({ length: 80 }, (_, word) => ['turbine', 'window', 'garden'][(row + word) % 3]);
    return `<text x="20" y="${30 + row * 22}">${words.join(' ')}</text>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4600" height="${40 + 22 * rows.length}"><rect width="100%" height="100%" fill="#fff"/><g font-family="DejaVu Sans" font-size="14">${rows.join('')}</g></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();

const upload = async ({ server }: World, bytes: Buffer, name: string): Promise<string> => {
  const { status, body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(bytes, name),
  });
  assert.is(status, 200, JSON.stringify(body));
  return body.uniqueId;
};
async function found({ server }: World, word: string): Promise<string[]> {
  const path = `/user/get/@me/items?search=${word}`;
  const { body } = await server.request('GET', path, { key: server.owner.key });
  return body.message.content.map(({ uniqueId }: { uniqueId: string }) => uniqueId);
}
/** Everything that waits is read, while others are answered. */
async function settle({ server }: World): Promise<void> {
  let isOver = false;
  const settling = server.app.services.jobs.settle().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    assert.is((await server.request('GET', '//status')).status, 200);
    await delay(100);
  }
  await settling;
  const failed = await query(
    server.app.services.db.read,
    'SELECT kind, last_error FROM jobs WHERE attempts > 0',
  );
  assert.equal(failed, []);
}

test('damaged pictures, noise and stripes have no words that anybody needs, and end', async (world) => {
  const { png } = await screen(0, 20);
  const damaged = Buffer.from(png);
  damaged.fill(0x5a, damaged.length >> 1, (damaged.length >> 1) + 4_000);
  await upload(world, damaged, 'damaged.png');
  await upload(world, png.subarray(0, png.length - 3_000), 'cut.png');
  await upload(world, await noise(1_440, 900), 'noise.png');
  await settle(world);
});

test('very many words in a picture are found', async (world) => {
  const id = await upload(world, await fullOfWords(), 'words.png');
  await settle(world);
  const { body } = await world.server.request('GET', `/image/info/${id}`, { key: world.server.owner.key });
  const { boxes } = body.message.words;
  assert.equal(await found(world, 'turbine'), [id]);
  assert.ok(boxes.length > MANY * 0.9 && boxes.length <= MANY, `${boxes.length} words`);
});

test('bombs, encrypted and endless documents end, and the next one is read', async (world) => {
  const empty = { 'word/footnotes.xml': `<w:p><w:t>${' '.repeat(150_000_000)}</w:t></w:p>` };
  await upload(world, docx('bomb', empty), 'bomb.docx');
  await upload(world, docx('deep', { 'word/footnotes.xml': '<w:t>'.repeat(2_000_000) }), 'deep.docx');
  await upload(world, encryptedPdf('secretword'), 'encrypted.pdf');
  await upload(world, pdf(Array.from({ length: 10_000 }, (_, page) => `page${page}`)), 'pages.pdf');
  const last = await upload(world, docx('Gooseberry'), 'sound.docx');
  const picture = await upload(world, (await screen(0, 20)).png, 'screen.png');
  await settle(world);
  assert.equal(await found(world, 'gooseberry'), [last]);
  assert.equal(await found(world, 'secretword'), []);
  const { body } = await world.server.request('GET', `/image/info/${picture}`, {
    key: world.server.owner.key,
  });
  assert.ok(body.message.words.boxes.length > 15);
});

test.run();
