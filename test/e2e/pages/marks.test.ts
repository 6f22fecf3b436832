/** What something is to its owner: a favourite, and whether it is told when it is opened. All without scripts, too. */
import * as assert from 'uvu/assert';
import { mailsTo } from '../../support/accounts/outbox.js';
import { PERSON, tellNow } from '../../support/accounts/told.js';
import { findBarriers, openPage, overflowOf, signIn } from '../../support/web/browser.js';
import { type Place, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('marks');
/** Where scripts are off, axe cannot look. */
const SHAPES = [
  { javaScriptEnabled: false, viewport: { width: 390, height: 740 }, colorScheme: 'dark' },
  { javaScriptEnabled: true, viewport: { width: 390, height: 740 }, colorScheme: 'dark' },
] as const;

async function make({ server, account }: Place, path: string, json: object): Promise<string> {
  const { status, body, text } = await server.request('POST', path, { key: account.key, json });
  assert.is(status, 200, text);
  return body.message.uniqueId;
}

for (const shape of SHAPES) {
  const how = shape.javaScriptEnabled ? 'with scripts' : 'without scripts';

  check(`a row of a list is marked in its menu, and the list shows what is marked ${how}`, async (place) => {
    const { browser, server, account } = place;
    for (const name of ['first', 'second']) {
      await make(place, '/paste/create', { text: name, title: `${name} paste` });
      await make(place, '/url/create', { url: `https://example.com/${name}`, note: name });
      await make(place, '/collection', { title: `${name} collection` });
    }
    const { page, faults, close } = await openPage(browser, server, shape);
    await signIn(page, account);
    for (const [path, row] of [
      ['/web/pastes', '.things > li'],
      ['/web/links', '.things > li'],
      ['/web/collections', '.albums > li'],
    ] as const) {
      await page.goto(path);
      const first = page.locator(row).first();
      const name = await first.locator('.name a').textContent();
      await first.locator('.menu > summary').click();
      await first.getByRole('button', { name: 'Favourite' }).click();
      await page.waitForURL(`**${path}*`);
      await page.goto(`${path}?favourite=true`);
      assert.equal(await page.locator(`${row} .name a`).allTextContents(), [name], path);
      assert.is(await overflowOf(page), 0, path);
      if (shape.javaScriptEnabled) assert.equal(await findBarriers(page), [], path);
      await page.locator(row).first().locator('.menu > summary').click();
      await page.getByRole('button', { name: 'Favourite' }).click();
      await page.waitForURL('**favourite=true*');
      assert.is(await page.locator(row).count(), 0, path);
    }
    assert.equal(faults, []);
    await close();
  });

  check(`who asks for it is told, and the link in the mail ends that ${how}`, async (place) => {
    const { browser, server, account } = place;
    const paste = await make(place, '/paste/create', { text: 'words', title: 'Told' });
    const link = await make(place, '/url/create', { url: 'https://example.com' });
    const { page, faults, close } = await openPage(browser, server, shape);
    await signIn(page, account);
    for (const path of [`/web/url-render/${link}`, `/web/paste-render/${paste}`]) {
      await page.goto(path);
      await page.getByText('Tell me when it is opened').first().click();
      await page.getByLabel('Tell me when it is opened').selectOption('each');
      await page.locator('form[action^="/web/notify/"] button').click();
      await page.getByText('You are told when it is opened').waitFor();
      assert.is(await overflowOf(page), 0, path);
      if (shape.javaScriptEnabled) assert.equal(await findBarriers(page), [], path);
    }
    await page.goto(`/web/share-links/paste/${paste}`);
    await page.getByLabel('Label').fill('Ada');
    await page.getByLabel('Tell me when it is opened').selectOption('first');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    const listed = await server.request('GET', `/paste/get/${paste}/links`, { key: account.key });
    assert.is(listed.body.message.content[0].notify, 'first');
    await server.request('GET', `/paste/get/${paste}`, { headers: PERSON });
    await tellNow(server);
    const mail = (await mailsTo(server, account.email)).find(({ subject }) => subject.includes('Told'));
    const stop = /\/web\/told\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const stranger = await openPage(browser, server, shape);
    await stranger.page.goto(stop);
    await stranger.page.getByText('no longer told about “Told”').waitFor();
    assert.is(await overflowOf(stranger.page), 0);
    if (shape.javaScriptEnabled) assert.equal(await findBarriers(stranger.page), []);
    await stranger.page.getByRole('button', { name: 'Stop these e-mails' }).click();
    await stranger.page.getByText('You get no more of these e-mails').waitFor();
    if (shape.javaScriptEnabled) assert.equal(await findBarriers(stranger.page), []);
    assert.equal([...faults, ...stranger.faults], []);
    await stranger.close();
    await close();
  });
}

run();
