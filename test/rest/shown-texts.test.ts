import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestServer } from '../harness.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { until } from '../support/until.js';

const shown = suite('texts and names of files as pages and downloads have them');
let server: TestServer;

shown.before(async () => {
  server = await startServer();
});
shown.after(() => server.close());

async function stored(bytes: Uint8Array, name: string): Promise<string> {
  const { body } = await server.request('POST', '/image/upload', {
    key: server.owner.key,
    form: fileForm(bytes, name),
  });
  return body.message.uniqueId;
}

async function page(text: string, name: string): Promise<string> {
  const id = await stored(Buffer.from(text), name);
  const answer = await fetch(`${server.origin}/web/image-render/${id}`, { headers: { accept: 'text/html' } });
  assert.is(answer.status, 200);
  return answer.text();
}
const cellsOf = (html: string) => [...html.matchAll(/<t[hd][^>]*>([^<]*)<\/t[hd]>/g)].map(([, cell]) => cell);

shown('cells are separated by what divides all records alike', async () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['a.csv', 'name;price\nApfel;1,50\nBirne;2,00\n', ['name', 'price', 'Apfel', '1,50', 'Birne', '2,00']],
    ['b.csv', '1,5;2,5\n3,5;4,5\n', ['1,5', '2,5', '3,5', '4,5']],
    ['c.csv', 'a\tb\n"x\ty"\tz\n', ['a', 'b', 'x\ty', 'z']],
    ['d.csv', 'a,b\n"x;y",1\n', ['a', 'b', 'x;y', '1']],
    ['e.csv', 'a,b\nc;"d,2\n', ['a', 'b', 'c;&quot;d', '2']],
    ['f.csv', 'a;b\n"1;2";"x\ny"\n', ['a', 'b', '1;2', 'x\ny']],
  ];
  for (const [name, text, cells] of rows) assert.equal(cellsOf(await page(text, name)), cells, name);
});

shown('footnotes of Markdown stay in sight, and the targets of links do not', async () => {
  let html = '';
  const text =
    'Water[^1] boils[^my note]. See [that][it].\n\n[^1]: Of *snow*.\n[^my note]: At sea level,\nmostly.\n\n' +
    '- a list\n\n  [^3]: https://example.com/third\n\n[it]: https://example.com/it "unseen title"\n';
  // On a machine that is busy, the page may come before what renders it: it shows the text as it is then.
  await until(async () => {
    html = await page(text, 'notes.md');
    return html.includes('<em>snow</em>');
  });
  for (const seen of [
    'Water[^1] boils[^my note].',
    '<p>[^1]: Of <em>snow</em>.</p>',
    '<p>[^my note]: At sea level,\nmostly.</p>',
    '[^3]: <a href="https://example.com/third"',
    '<a href="https://example.com/it"',
  ])
    assert.ok(html.includes(seen), seen);
  assert.not.match(html, /\[it\]/);
});

shown('the page of a picture that no browser shows says so; that of another file says nothing', async () => {
  const header = (size: number, start: string) =>
    Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(size)]);
  const why = async (bytes: Buffer, name: string) => {
    const answer = await fetch(`${server.origin}/web/image-render/${await stored(bytes, name)}`);
    const html = await answer.text();
    assert.match(html, 'download=true', name);
    return /Browsers cannot show ([A-Z0-9]+) pictures\./.exec(html)?.[1] ?? null;
  };
  const jxl = header(40, '\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl ');
  assert.is(await why(jxl, 'a.jxl'), 'JXL');
  assert.is(await why(header(200, 'FOVb\0\0\x02\0'), 'a.x3f'), 'X3F');
  assert.is(await why(header(200, 'FUJIFILMCCD-RAW 0201'), 'a.raf'), 'RAF');
  assert.is(await why(Buffer.from([1, 2, 3, 4, 250, 0, 7]), 'a.bin'), null);
});

shown('a tree is shown only of JSON that it shows as written', async () => {
  const tree = 'class="json';
  for (const text of ['{"a":[1,-2.5,"\\u00e9"],"b":{"c":null}}', '[ true , "x\\ny" ]'])
    assert.match(await page(text, 'a.json'), tree, text);
  for (const text of [
    '{"a":1.10}',
    '{"a":3.14159265358979323846}',
    '{"a":-0}',
    '{"a":1E2}',
    '{"a":1,"a":2}',
    '{"2":1,"1":2}',
    '{"a":12345678901234567890}',
  ])
    assert.not.match(await page(text, 'b.json'), tree, text);
});

shown('a picture is saved under the extension of its bytes', async () => {
  const photo = await jpegPhoto();
  for (const [name, saved] of [
    ['IMG_1.HEIC', 'IMG_1.jpg'],
    ['IMG_2.jpeg', 'IMG_2.jpeg'],
    ['scan.2024', 'scan.2024'],
  ] as const) {
    const id = await stored(photo, name);
    const answer = await fetch(`${server.base}/image/get/${id}?download=true`);
    assert.match(answer.headers.get('content-disposition') ?? '', `filename="${saved}"`);
    await answer.arrayBuffer();
  }
});

shown.run();
