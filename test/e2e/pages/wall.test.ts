/** The wall of a request in a browser: live, approved by its owner, and with a phone that loses its network. */
import * as assert from 'uvu/assert';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';
import { PIXEL } from '../../support/web/webhook.js';

const { check, run } = pageSuite('walls');
const phone = { viewport: { width: 390, height: 740 }, colorScheme: 'dark' } as const;
const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: Buffer.from(PIXEL) });

check('what guests send appears on the wall at once, and leaves it when it is taken back', async (place) => {
  const { server, browser, account } = place;
  const json = { title: 'Our wedding', wall: 'all', message: 'Add your photos' };
  const made = await server.request('POST', '/request/create', { key: account.key, json });
  const id = made.body.message.uniqueId;
  const wall = await openPage(browser, server, { viewport: { width: 1280, height: 800 } });
  await wall.page.goto(`/web/request/${id}/wall`);
  await wall.page.getByText('Pictures appear here').waitFor();
  assert.equal(await findBarriers(wall.page), []);
  const guest = await openPage(browser, server, phone);
  await guest.page.goto(`/web/request/${id}`);
  await guest.page.locator('input[type=file]').setInputFiles(picture('first.png'));
  await guest.page.locator('.queue li.done').waitFor();
  assert.is(await overflowOf(guest.page), 0);
  assert.equal(await findBarriers(guest.page), []);
  // A picture that is taken back while it loads is not found, which a browser reports.
  await wall.page.waitForFunction(() => document.querySelector<HTMLImageElement>('.wall img')?.naturalWidth);
  assert.is(await wall.page.locator('.wall img').getAttribute('alt'), 'first.png');
  // The receipt is still there after a reload.
  await guest.page.reload();
  await guest.page.getByRole('button', { name: 'Take back' }).click();
  await wall.page.locator('.wall li').waitFor({ state: 'detached' });
  assert.is(await guest.page.locator('.queue li').count(), 0);
  assert.equal([...wall.faults, ...guest.faults], []);
  await guest.close();
  await wall.close();
});

check('the owner lets files through one by one, with one thumb', async ({ server, browser, account }) => {
  const json = { title: 'Approved', wall: 'approved' };
  const made = await server.request('POST', '/request/create', { key: account.key, json });
  const id = made.body.message.uniqueId;
  for (const name of ['a.png', 'b.png']) {
    const form = new FormData();
    form.set('file', new Blob([PIXEL], { type: 'image/png' }), name);
    await server.request('POST', `/request/open/${id}/files`, { form });
  }
  const { page, faults, close } = await openPage(browser, server, phone);
  await signIn(page, account);
  await page.goto(`/web/requests/${id}`);
  await page.getByRole('link', { name: 'Approve files' }).click();
  await page.getByText('2 files wait').waitFor();
  assert.is(await overflowOf(page), 0);
  assert.equal(await findBarriers(page), []);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('1 file waits').waitFor();
  await page.getByRole('button', { name: 'Keep off the wall' }).click();
  await page.getByText('Nothing waits').waitFor();
  const shown = await server.request('GET', `/request/open/${id}/wall`);
  assert.is(shown.body.message.totalElements, 1);
  assert.equal(faults, []);
  await close();
});

check('a file that was chosen without a network arrives once, after a reload', async (place) => {
  const { server, browser, account } = place;
  const json = { title: 'In the woods', wall: 'all' };
  const made = await server.request('POST', '/request/create', { key: account.key, json });
  const id = made.body.message.uniqueId;
  const { page, close } = await openPage(browser, server, phone);
  await page.goto(`/web/request/${id}`);
  // The network is gone; the page itself stays reachable, so that it can be loaded again.
  await page.route('**/v1/**', (route) => route.abort('internetdisconnected'));
  await page.locator('input[type=file]').setInputFiles(picture('kept.png'));
  await page.getByText('The connection was lost').waitFor();
  await page.unroute('**/v1/**');
  await page.reload();
  await page.locator('.queue li.done').waitFor();
  const files = await server.request('GET', `/request/get/${id}/files`, { key: account.key });
  assert.is(files.body.message.totalElements, 1);
  await close();
});

run();
