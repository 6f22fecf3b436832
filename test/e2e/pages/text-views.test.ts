/** What people share is shown: texts in colours, Markdown, tables and trees, with the access rules of the file. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../../harness.js';
import { tarGz, zip } from '../../support/media/archive-fixtures.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { filmed } from '../../support/metadata/tools.js';
import { ROOT } from '../../support/root.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, both, eachShape, pageSuite, untilShown } from '../../support/web/pages.js';

const { check, run } = pageSuite('shown texts');

const MARKDOWN =
  '# Notes\n\n<script>alert(1)</script>\n\n- one\n- [two](https://example.com/)\n\n![x](https://tracker.example/x.png)';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const CSV = `name,amount\n"Doe, Jane",12.50\n${'Ärger,3\n'.repeat(40)}`;
const JSON_TEXT = '{"name": "x", "list": [1, {"deep": null}], "empty": {}}';

async function upload(
  server: TestServer,
  key: string,
  content: string | Buffer,
  name: string,
  fields = {},
  type = 'text/plain',
) {
  const form = fileForm(content, name, fields, type);
  const { body } = await server.request('POST', '/image/upload', { key, form });
  return `${server.origin}/web/image-render/${body.uniqueId}`;
}

for (const [how, javaScriptEnabled] of both) {
  check(
    `${how}, Markdown is rendered with its source beside it, and nothing in it runs or loads`,
    async ({ server, browser, account }) => {
      const address = await upload(server, account.key, MARKDOWN, 'notes.md');
      const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
      await page.goto(address);
      await untilShown(page, '.prose');
      assert.is(await page.textContent('.prose h2'), 'Notes');
      assert.match((await page.textContent('.prose')) ?? '', '<script>alert(1)</script>');
      assert.is(await page.locator('.prose img').count(), 0);
      await page.click('.forms >> text=Source');
      await page.waitForURL(/view=source/);
      await untilShown(page, '.forms');
      assert.match((await page.textContent('.code')) ?? '', '# Notes');
      await page.click('.forms a >> nth=0');
      await page.waitForURL(/view=readable/);
      await untilShown(page, '.prose');
      assert.equal(faults, []);
      await close();
    },
  );
}

check(
  'CSV is a table, JSON a tree, code has its colours; what is damaged is shown as it is',
  async ({ server, browser, account }) => {
    const { key } = account;
    const table = await upload(server, key, CSV, 'a.csv');
    const tree = await upload(server, key, JSON_TEXT, 'a.json');
    const code = await upload(
      server,
      key,
      await readFile(join(ROOT, 'routers', 'base', 'roles.ts'), 'utf8'),
      'roles.ts',
    );
    const broken = await upload(server, key, '{"a": ', 'broken.json');
    const open = await upload(server, key, 'a,b\n"never closed', 'open.csv');
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(table);
    assert.is(await page.textContent('td >> nth=0'), 'Doe, Jane');
    assert.is(await page.locator('tbody tr').count(), 41);
    await page.goto(tree);
    assert.match((await page.textContent('.json')) ?? '', 'deep: null');
    await page.goto(code);
    await untilShown(page, '.code .hljs-keyword');
    assert.ok((await page.locator('.code .hljs-keyword').count()) > 3);
    for (const address of [broken, open]) {
      await page.goto(address);
      assert.is(await page.locator('.code').count(), 1, address);
      assert.is(await page.locator('.forms').count(), 0, address);
    }
    assert.equal(faults, []);
    await close();
  },
);

check(
  'a private, protected or counted text is shown to nobody whom its file is not',
  async ({ server, browser, account }) => {
    const { key } = account;
    const secret = 'the words nobody may read';
    const hidden = await upload(server, key, secret, 'a.txt', { private: 'true' });
    const locked = await upload(server, key, secret, 'b.txt', { password: 'open sesame' });
    const counted = await upload(server, key, secret, 'c.txt', { maxViews: '2' });
    const { page, close } = await openPage(browser, server);
    for (const address of [hidden, locked, counted]) {
      await page.goto(address);
      assert.not.match((await page.textContent('body')) ?? '', secret);
      const input = encodeURIComponent(JSON.stringify({ uniqueId: address.split('/').at(-1) }));
      const answer = await server.request('GET', `//trpc/image.text?input=${input}`);
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`);
      assert.not.match(answer.text, secret);
    }
    await page.goto(locked);
    await page.fill('input[name=password]', 'open sesame');
    await page.click('main form button[type=submit]');
    await page.waitForSelector('.code');
    assert.match((await page.textContent('.code')) ?? '', secret);
    await close();
  },
);

check('a paste in Markdown opens as it reads, and its source has lines with addresses', async (place) => {
  const { server, account } = place;
  const make = async (json: object) =>
    (await server.request('POST', '/paste/create', { key: account.key, json })).body.message
      .uniqueId as string;
  const notes = await make({ text: MARKDOWN, title: 'Notes', language: 'markdown' });
  const once = await make({ text: MARKDOWN, title: 'Once', language: 'markdown', burn: true });
  assert.ok(once);
  await eachShape(place, account, async (page) => {
    await page.goto(`${server.origin}/web/paste-render/${notes}`);
    await untilShown(page, '.prose');
    await page.click('.forms >> text=Source');
    await page.waitForURL(/view=source/);
    assert.match((await page.textContent('#L1')) ?? '', '# Notes');
    await page.click('.forms a >> nth=0');
    await page.waitForURL(/view=readable/);
    await untilShown(page, '.prose');
    await assertSound(page);
  });
});

check(
  'the files of a paste are made, shown, renamed, added and removed without JavaScript',
  async ({ server, browser, account }) => {
    const { page, close } = await openPage(browser, server, { javaScriptEnabled: false });
    await signIn(page, account);
    await page.goto(`${server.origin}/web/paste-create`);
    await page.fill('[name=title]', 'a.ts');
    await page.fill('[name=text]', 'const apple = 1;');
    await page.click('summary >> text=More files');
    await page.fill('[name=name-2]', 'b.md');
    await page.fill('[name=text-2]', '# Pear');
    await page.click('text=Create paste');
    await untilShown(page, '#L1');
    assert.match((await page.textContent('#L1')) ?? '', 'apple');
    await page.click('.forms >> text=b.md');
    await untilShown(page, '.prose');
    await page.click('.forms >> text=Source');
    assert.match((await page.textContent('#L1')) ?? '', '# Pear');
    await page.click('text=Edit');
    await page.fill('[name=name-1]', 'c.ts');
    await page.check('[name=remove-2]');
    await page.click('summary >> text=More files');
    await page.fill('[name=text-3]', 'plum');
    await page.click('text=Save');
    await untilShown(page, '#L1');
    assert.equal(await page.locator('.forms a').allTextContents(), ['c.ts', 'text-3.txt']);
    const made = page.url();
    await close();
    await eachShape({ server, browser }, account, async (shown) => {
      for (const address of [made, made.replace('paste-render', 'edit/paste')]) {
        await shown.goto(address.replace(/\?.*/, ''));
        await assertSound(shown);
      }
    });
  },
);

const notebook = (html: string) =>
  JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Sums\n', 'of $x^2$, for $5\n\n$$\\boxed{y}$$\n\n$\\frac{$'] },
      {
        cell_type: 'code',
        source: 'print("```")',
        outputs: [
          { output_type: 'stream', text: ['plain\n'] },
          { output_type: 'display_data', data: { 'image/png': `${PIXEL}\n`, 'text/plain': 'a picture' } },
          { output_type: 'execute_result', data: { 'text/html': html, 'text/plain': 'a table' } },
          { output_type: 'error', traceback: ['\u001b[31mNameError\u001b[0m'] },
        ],
      },
    ],
  });

check(
  'a notebook is shown as it was saved, and its HTML stands in a frame in which nothing runs',
  async (place) => {
    const { server, browser, account } = place;
    const shared = async (text: string) => {
      const json = { text, title: 'sums.ipynb', language: 'json' };
      const { body } = await server.request('POST', '/paste/create', { key: account.key, json });
      return `${server.origin}/web/paste-render/${body.uniqueId}`;
    };
    const table = '<table><tr><td class="x">1</td></tr></table>';
    const asFile = await upload(server, account.key, notebook(table), 'sums.ipynb', {}, 'application/json');
    for (const address of [await shared(notebook(table)), asFile])
      await eachShape(place, account, async (page) => {
        await page.goto(address);
        await untilShown(page, '.prose');
        assert.is(await page.locator('.prose math').count(), 2);
        assert.match(
          (await page.textContent('.prose')) ?? '',
          /Sums.*for \$5.*frac.*print\("```"\).*plain.*NameError/s,
        );
        assert.ok(
          await page.locator('.prose img').evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
        );
        await page.frameLocator('.prose iframe').locator('td').waitFor();
        await assertSound(page);
      });
    const hostile =
      '<td>x<img src="x:" onerror="document.body.id=`ran`"><script>document.body.id="ran"</script>';
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(await shared(notebook(`<table><tr>${hostile}`)));
    await untilShown(page, '.prose');
    const frame = page.frameLocator('.prose iframe');
    await frame.locator('td').waitFor();
    assert.equal([await frame.locator('#ran').count(), await page.locator('#ran').count()], [0, 0]);
    assert.ok(
      faults.every((fault) => /Blocked script|Content Security Policy/.test(fault)),
      faults.join(),
    );
    await close();
  },
);

const PDF = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

check(
  'a PDF is shown in a frame in which nothing runs, to those who may open it',
  async ({ server, browser, account }) => {
    const open = async (fields: object) =>
      (await upload(server, account.key, PDF, 'report.pdf', fields, 'application/pdf')).split('/').at(-1) ??
      '';
    const id = await open({});
    const framed = await fetch(`${server.origin}/web/image-document/${id}`);
    assert.is(framed.status, 200);
    assert.is(framed.headers.get('content-type'), 'application/pdf');
    assert.match(framed.headers.get('content-disposition') ?? '', /^inline/);
    const policy = framed.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", 'sandbox', "frame-ancestors 'self'"])
      assert.match(policy, part);
    assert.is(Buffer.compare(Buffer.from(await framed.arrayBuffer()), PDF), 0);
    for (const [fields, status] of [
      [{ private: 'true' }, 403],
      [{ password: 'open sesame' }, 403],
      [{ maxViews: '2' }, 400],
    ] as const) {
      const refused = await fetch(`${server.origin}/web/image-document/${await open(fields)}`);
      assert.is(refused.status, status, JSON.stringify(fields));
    }
    const text = (await upload(server, account.key, '<script>1</script>', 'a.html')).split('/').at(-1);
    assert.is((await fetch(`${server.origin}/web/image-document/${text}`)).status, 400);
    const { page, faults, close } = await openPage(browser, server);
    // The browser of the tests has no viewer, which this page must not make it store the file for.
    await page.goto(`${server.origin}/web/image-render/${id}`);
    assert.ok(await page.isVisible('.stage .file'));
    await page.addInitScript('Object.defineProperty(navigator, "pdfViewerEnabled", { value: true })');
    await page.route('**/image-document/**', (route) =>
      route.fulfill({ body: 'shown', contentType: 'text/plain' }),
    );
    await page.reload();
    assert.is(await page.frameLocator('iframe.document').locator('body').textContent(), 'shown');
    assert.not.ok(await page.isVisible('.stage .file'));
    await assertSound(page);
    assert.equal(faults, []);
    await close();
  },
);

check('the files in an archive are listed, and so are those of one that is not unpacked', async (place) => {
  const { server, account } = place;
  const long = Array.from({ length: 40 }, (_, index) => ({
    name: `folder/${'long '.repeat(30)}${index}.txt`,
    data: Buffer.from('x'),
  }));
  const archives = [
    await upload(
      server,
      account.key,
      zip([...long, { name: '../<b>up</b>.txt', data: Buffer.from('hello') }]),
      'a.zip',
    ),
    await upload(
      server,
      account.key,
      await tarGz([
        ...long,
        { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
        { name: '../<b>up</b>.txt', data: Buffer.from('hello') },
      ]),
      'a.tar.gz',
    ),
  ];
  const damaged = await upload(server, account.key, gzipSync('no tar'), 'a.gz');
  const hidden = await upload(server, account.key, zip(long), 'a.zip', { private: 'true' });
  await eachShape(place, null, async (page) => {
    for (const address of archives) {
      await page.goto(address);
      await untilShown(page, '.entries');
      assert.is(await page.locator('.entries tbody tr').count(), 41, address);
      assert.match((await page.textContent('.entries tbody tr:last-child')) ?? '', /<b>up<\/b>\.txt5 B/);
      await assertSound(page);
    }
    await page.goto(damaged);
    assert.is(await page.locator('.entries').count(), 0);
    assert.ok(await page.isVisible('.stage .file'));
  });
  const input = encodeURIComponent(JSON.stringify({ uniqueId: hidden.split('/').at(-1) }));
  assert.is((await server.request('GET', `//trpc/image.entries?input=${input}`)).status, 403);
});

check('the cover of a song is shown with its name and length, in its tile as well', async (place) => {
  const { server, account } = place;
  const cover = await jpegPhoto();
  const args = [
    '-i',
    'cover.jpg',
    '-map',
    '0:a',
    '-map',
    '1:v',
    '-c:v',
    'copy',
    '-disposition:v',
    'attached_pic',
  ];
  for (const extension of ['mp3', 'flac', 'm4a']) {
    const song = await filmed(extension, ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2', ...args], {
      'cover.jpg': cover,
    });
    if (song === null) return;
    const address = await upload(server, account.key, song, `A song.${extension}`, {}, `audio/${extension}`);
    await eachShape(place, null, async (page) => {
      await page.goto(address);
      await page.waitForFunction(
        () => (document.querySelector<HTMLImageElement>('.cover')?.naturalWidth ?? 0) > 0,
      );
      assert.match((await page.textContent('.stage .title')) ?? '', /A song.*0:02/);
      await assertSound(page);
    });
  }
  await eachShape(place, account, async (page) => {
    await page.goto('/web/library');
    assert.is(await page.locator('.tile img[src*="poster"]').count(), 3);
  });
});

check('cells that are separated by tabs are a table', async ({ server, browser, account }) => {
  const address = await upload(server, account.key, 'name\tamount\n"Doe,\tJane"\t3\nx, y\t4\n', 'a.tsv');
  const { page, close } = await openPage(browser, server);
  await page.goto(address);
  assert.equal(await page.locator('td').allTextContents(), ['Doe,\tJane', '3', 'x, y', '4']);
  await close();
});

check('tables, trees and rendered texts are accessible and fit the screen', async (place) => {
  const { server, account } = place;
  const wide = `${Array.from({ length: 30 }, (_, index) => `column ${index}`).join(',')}\n${'x,'.repeat(29)}y\n`;
  const markdown = `${MARKDOWN}\n\n| ${'a | '.repeat(30)}\n| ${'- | '.repeat(30)}\n`;
  const pages = [
    ['table', await upload(server, account.key, wide, 'wide.csv')],
    ['.json', await upload(server, account.key, JSON_TEXT, 'a.json')],
    ['.prose', await upload(server, account.key, markdown, 'a.md')],
    ['.hljs-keyword', await upload(server, account.key, `const long = '${'x'.repeat(2_000)}';`, 'long.js')],
  ] as const;
  await eachShape(place, account, async (page) => {
    for (const [part, address] of pages) {
      await page.goto(address);
      await untilShown(page, part);
      await assertSound(page);
    }
  });
});

run();
