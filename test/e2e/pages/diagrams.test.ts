/** Diagrams in Mermaid are drawn in closed frames, whatever they say, and their texts can be read without that. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../../harness.js';
import { ageFile, armored, newKey, sealedNameFor } from '../../support/content/sealed.js';
import { openPage } from '../../support/web/browser.js';
import { assertSound, eachShape, pageSuite, untilShown } from '../../support/web/pages.js';

const { check, run } = pageSuite('diagrams');

const FLOW = 'flowchart LR\n  A[Idea] --> B{Worth it?}\n  B -->|yes| C[Build]\n  B -->|no| A';
const SEQUENCE = 'sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Good day';
/** Asks for scripts in labels, links and settings. */
const HOSTILE = `---
config:
  securityLevel: loose
  htmlLabels: true
---
%%{init: {"securityLevel": "loose", "flowchart": {"htmlLabels": true}, "themeCSS": "* { background: url(https://tracker.example/x) }"}}%%
flowchart TD
  A["<img src=x onerror='parent.postMessage({ran: 1}, &quot;*&quot;)'><script>parent.postMessage({ran: 2}, '*')</script>words"] --> B
  click A href "javascript:parent.postMessage({ran: 3}, '*')"
  click B href "https://example.com/" _self
  click A call alert()`;
const TRACKER = 'flowchart TD\n  A@{ img: "https://tracker.example/y.png", label: "picture" }';
/** Takes hours if nobody stops it. */
const ENDLESS = 'block-beta\n  columns 3\n  space:900000000';
const fenced = (...texts: readonly string[]) =>
  texts.map((text, index) => `# Part ${index + 1}\n\n\`\`\`mermaid\n${text}\n\`\`\`\n`).join('\n');

async function paste(server: TestServer, key: string, text: string, language = 'markdown') {
  const { body } = await server.request('POST', '/paste/create', {
    key,
    json: { text, title: 'Notes', language },
  });
  return `/web/paste-render/${body.message.uniqueId}`;
}
const drawing = (page: Page, index = 0) => page.frameLocator(`.prose iframe >> nth=${index}`).locator('svg');
const sources = (page: Page) => page.locator('.prose .language-mermaid').allTextContents();

check(
  'those of Markdown and of files of their own are drawn, with their source beside them',
  async (place) => {
    const { server, account } = place;
    const both = await paste(server, account.key, fenced(FLOW, SEQUENCE));
    const alone = await paste(server, account.key, FLOW, 'mermaid');
    const form = fileForm(SEQUENCE, 'talk.mmd', {}, 'text/plain');
    const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
    await eachShape(place, account, async (page) => {
      await page.goto(both);
      await untilShown(page, '.prose');
      await drawing(page).getByText('Worth it?').waitFor();
      await drawing(page, 1).getByText('Good day').first().waitFor();
      for (const frame of await page.locator('.prose iframe').all()) {
        assert.is(await frame.getAttribute('sandbox'), 'allow-scripts');
        assert.ok(((await frame.boundingBox())?.height ?? 0) > 40);
      }
      await page.locator('.prose summary').first().click();
      assert.ok(await page.getByText('B{Worth it?}').isVisible());
      await assertSound(page);
      await page.goto(alone);
      await drawing(page).getByText('Worth it?').waitFor();
      await page.goto(`/web/image-render/${body.uniqueId}`);
      await drawing(page).getByText('Good day').first().waitFor();
      await assertSound(page);
    });
  },
);

check('without scripts the text stays, and pages without a diagram load nothing for one', async (place) => {
  const { server, browser, account } = place;
  const still = await openPage(browser, server, { javaScriptEnabled: false });
  await still.page.goto(await paste(server, account.key, fenced(FLOW)));
  await untilShown(still.page, '.prose');
  assert.match((await sources(still.page))[0] ?? '', 'B{Worth it?}');
  await still.close();
  const plain = await openPage(browser, server);
  const loaded: string[] = [];
  plain.page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await plain.page.goto(await paste(server, account.key, '# Notes\n\n```\nflowchart\n```'));
  await untilShown(plain.page, '.prose');
  assert.equal(
    loaded.filter((path) => path.includes('diagram')),
    [],
  );
  await plain.close();
});

check('nothing in a diagram runs, loads or leads anywhere, and its frame has no origin', async (place) => {
  const { server, browser, account } = place;
  const { page, faults, close } = await openPage(browser, server);
  const left: string[] = [];
  page.on('request', async (request) => {
    if (request.url().startsWith(server.origin) || request.url().startsWith('data:')) return;
    const answer = await request.response();
    if (answer !== null || !/csp/i.test(request.failure()?.errorText ?? '')) left.push(request.url());
  });
  await page.addInitScript(() => {
    addEventListener('message', ({ data }) => {
      if (typeof data === 'object' && data !== null && 'ran' in data) document.title = 'it ran';
    });
  });
  await page.goto(await paste(server, account.key, fenced(HOSTILE, FLOW, TRACKER)));
  await untilShown(page, '.prose');
  await drawing(page, 1).getByText('Worth it?').waitFor();
  await drawing(page).waitFor();
  await page.getByText('This diagram cannot be drawn').waitFor();
  assert.is(await drawing(page).locator('script, a[href]').count(), 0);
  for (const link of await drawing(page).locator('.node').all()) await link.click({ force: true });
  assert.is(await drawing(page).count(), 1);
  assert.not.match(await page.title(), 'it ran');
  assert.equal(left, []);
  const frame = page.frames().find((one) => one.parentFrame() !== null);
  assert.is(await frame?.evaluate(() => origin), 'null');
  assert.ok(
    faults.every((fault) => /Content Security Policy/.test(fault)),
    faults.join('\n'),
  );
  const served = await fetch(frame?.url() ?? '');
  const policy = served.headers.get('content-security-policy') ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'sha256-",
    'sandbox allow-scripts',
    "frame-ancestors 'self'",
  ])
    assert.match(policy, part);
  assert.not.match(policy, /script-src[^;]*unsafe/);
  await close();
});

check('one that never ends is stopped, its page goes on, and its text is shown', async (place) => {
  const { server, browser, account } = place;
  const { page, faults, close } = await openPage(browser, server);
  await page.goto(await paste(server, account.key, fenced(FLOW, 'flowchart ???', ENDLESS)));
  await untilShown(page, '.prose');
  await drawing(page).getByText('Worth it?').waitFor();
  await page.getByText('This diagram cannot be drawn').waitFor();
  await page.getByText('This diagram takes too long to draw').waitFor();
  assert.is(await page.locator('.prose iframe').count(), 1);
  assert.is((await sources(page)).length, 3);
  assert.ok(await page.getByText('space:900000000').isVisible());
  assert.equal(faults, []);
  await close();
});

check(
  'that of a sealed paste is drawn with its key in the same closed frame, and nothing of it is sent',
  async (place) => {
    const { server, browser, account } = place;
    const key = await newKey();
    const sealed = async (text: string, name: object) => {
      const json = {
        text: armored(await ageFile(key.recipient, text)),
        sealed: true,
        sealedName: await sealedNameFor(key.recipient, name),
      };
      const { status, body } = await server.request('POST', '/paste/create', { key: account.key, json });
      assert.is(status, 200);
      return `/web/paste-render/${body.message.uniqueId}#${key.identity}`;
    };
    const { page, faults, close } = await openPage(browser, server);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url(), request.postData() ?? ''));
    for (const [text, name] of [
      [FLOW, { title: 'Plan', language: 'mermaid' }],
      [FLOW, { name: 'plan.mmd' }],
      [fenced(FLOW), { title: 'Plan', language: 'markdown' }],
    ] as const) {
      await page.goto(await sealed(text, name));
      await drawing(page).getByText('Worth it?').waitFor();
      assert.is(await page.locator('.prose iframe').getAttribute('sandbox'), 'allow-scripts');
      await page.locator('.prose summary').click();
      assert.ok(await page.getByText('B{Worth it?}').isVisible());
      await assertSound(page);
    }
    await page.goto(await sealed(fenced(HOSTILE, FLOW), { title: 'Plan', language: 'markdown' }));
    await drawing(page, 1).getByText('Worth it?').waitFor();
    await drawing(page).waitFor();
    assert.is(await drawing(page).locator('script, a[href]').count(), 0);
    assert.not.match(sent.join(' '), /Worth|AGE-SECRET/);
    assert.ok(
      faults.every((fault) => /Content Security Policy/.test(fault)),
      faults.join('\n'),
    );
    await close();
  },
);

run();
