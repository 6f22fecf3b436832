/** After an item was opened with its password, the same browser can return to it for a while. */
import * as assert from 'uvu/assert';
import { fileForm, type TestServer } from '../../harness.js';
import { pngPhoto } from '../../support/media/media-fixtures.js';
import { openPage } from '../../support/web/browser.js';
import { type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('opened');
const password = 'open sesame';
const CONTENT = 'the hidden content';

async function makePicture({ server, account }: Place, fields: Record<string, string> = {}): Promise<string> {
  const form = fileForm(await pngPhoto(), `${CONTENT}.png`, { password, ...fields });
  const made = await server.request('POST', '/image/upload', { key: account.key, form });
  return `/web/image-render/${made.body.uniqueId}`;
}

async function makePaste({ server, account }: Place, options: object = {}): Promise<string> {
  const json = { text: CONTENT, password, ...options };
  const made = await server.request('POST', '/paste/create', { key: account.key, json });
  return `/web/paste-render/${made.body.uniqueId}`;
}

/** Sends the password form; returns the cookie that lets the browser return, if there is one. */
async function open(server: TestServer, path: string): Promise<string | null> {
  const answer = await server.request('POST', `/${path}`, { form: new URLSearchParams({ password }) });
  assert.is(answer.status, 200);
  assert.match(answer.text, CONTENT);
  const set = answer.headers.getSetCookie().find((value) => value.startsWith('opened_item='));
  if (set === undefined) return null;
  assert.match(set, /; HttpOnly; SameSite=Lax; Max-Age=600$/);
  assert.not.match(set, password);
  return set.split(';')[0] ?? '';
}

const seesIt = async (server: TestServer, path: string, cookie: string): Promise<boolean> => {
  const answer = await server.request('GET', `/${path}`, { headers: { cookie } });
  assert.is(answer.status, 200);
  const shown = answer.text.includes(CONTENT);
  assert.is(answer.text.includes('is password-protected'), !shown);
  return shown;
};

for (const [kind, make] of [
  ['picture', makePicture],
  ['paste', makePaste],
] as const) {
  check(`Back and Reload lead to an opened ${kind} without asking again`, async (place) => {
    const { server, browser } = place;
    const { page, faults, close } = await openPage(browser, server);
    await page.goto(await make(place));
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Open' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    const title = await heading.textContent();
    await page.goto('/');
    await page.goBack();
    assert.is(await heading.textContent(), title);
    assert.is(await page.getByLabel('Password').count(), 0);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.method()));
    await page.reload();
    assert.is(await heading.textContent(), title);
    assert.not(sent.includes('POST'));
    assert.equal(faults, []);
    await close();
  });

  check(`the cookie of an opened item opens only this ${kind}, until its password changes`, async (place) => {
    const { server, account } = place;
    const path = await make(place);
    const cookie = (await open(server, path)) ?? '';
    assert.ok(await seesIt(server, path, cookie));
    assert.not(await seesIt(server, path, ''));
    assert.not(await seesIt(server, path, `${cookie}x`));
    assert.not(await seesIt(server, path, 'opened_item=made-up'));
    assert.not(await seesIt(server, await make(place), cookie));
    if (kind === 'paste') return;
    const id = path.split('/').at(-1);
    const json = { password: 'another one' };
    assert.is((await server.request('PUT', `/image/password/${id}`, { key: account.key, json })).status, 200);
    assert.not(await seesIt(server, path, cookie));
  });
}

check(
  'the cookie of an opened item expires after ten minutes, whatever the browser does with it',
  async (place) => {
    const { server } = place;
    const path = await makePaste(place);
    const { secrets } = server.app.services;
    const until = (offset: number) =>
      `opened_item=${secrets.encrypt(JSON.stringify({ path, password, until: Date.now() + offset }))}`;
    assert.ok(await seesIt(server, path, until(60_000)));
    assert.not(await seesIt(server, path, until(-1)));
  },
);

check('an item with limited views and a burn-after-reading paste ask every time', async (place) => {
  const { server } = place;
  assert.is(await open(server, await makePicture(place, { maxViews: '3' })), null);
  assert.is(await open(server, await makePaste(place, { burn: true })), null);
});

run();
