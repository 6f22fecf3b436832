/** Share links in a browser: in a dialog above the item, and on a page of their own without scripts. */
import * as assert from 'uvu/assert';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { both, pageSuite } from '../../support/web/pages.js';
import { PIXEL } from '../../support/web/webhook.js';

const { check, run } = pageSuite('share links');
const phone = { viewport: { width: 390, height: 740 }, colorScheme: 'dark' } as const;

for (const [name, javaScriptEnabled] of both)
  check(`a link is made, opened by somebody, and revoked: ${name}`, async ({ server, browser, account }) => {
    const form = new FormData();
    form.set('file', new Blob([PIXEL], { type: 'image/png' }), 'beach.png');
    form.set('private', 'true');
    const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
    const { page, faults, close } = await openPage(browser, server, { ...phone, javaScriptEnabled });
    await signIn(page, account);
    const item = `/web/image-render/${body.uniqueId}`;
    await page.goto(item);
    await page.getByRole('link', { name: 'Share links' }).click();
    const part = javaScriptEnabled ? page.getByRole('dialog', { name: 'Share links' }) : page.locator('main');
    await part.getByLabel('Label').fill('Ada');
    assert.is(new URL(page.url()).pathname === item, javaScriptEnabled);
    assert.is(await overflowOf(page), 0);
    if (javaScriptEnabled) assert.equal(await findBarriers(page), []);
    await part.getByLabel('View limit').fill('2');
    await part.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('0 of 2 views').waitFor();
    const address = (await page.getByRole('link', { name: 'Ada' }).getAttribute('href')) ?? '';
    const guest = await openPage(browser, server, { ...phone, javaScriptEnabled });
    assert.is((await guest.page.goto(address))?.status(), 200);
    await guest.page.locator('main img').first().waitFor();
    assert.is(await overflowOf(guest.page), 0);

    await page.goto(item);
    await page.getByRole('link', { name: 'Share links' }).click();
    await part.getByText('1 of 2 views').waitFor();
    if (javaScriptEnabled) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await part.getByRole('button', { name: 'Copy' }).click();
      await page.waitForFunction(
        (link) => navigator.clipboard.readText().then((text) => text === link),
        address,
      );
    }
    await part.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('0 of 2 views').or(page.getByText('1 of 2 views')).waitFor({ state: 'detached' });
    assert.is((await guest.page.goto(address))?.status(), 404);
    assert.equal(faults, []);
    await guest.close();
    await close();
  });

run();
