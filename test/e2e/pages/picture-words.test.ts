/** Words in pictures on pages: found with their place, copied from the item, switched by accounts and administrators. */
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { screen } from '../../support/media/screens.js';
import { assertSound, eachShape, pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('words in pictures', { OCR: 'eng' });

check('a picture is found with the place of its words, and its owner sees its text', async (place) => {
  const { server, account } = place;
  const { png, words } = await screen(0, 20);
  const [word = ''] = words.filter((one) => one.length > 5);
  const form = fileForm(png, 'screen.png');
  const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
  await server.app.services.jobs.settle();
  await eachShape(place, account, async (page) => {
    await page.goto(`/web/find?search=${word}`);
    assert.is(await page.locator('.found rect').count(), 1);
    await assertSound(page);
    await page.goto(`/web/image-render/${body.uniqueId}`);
    await page.locator('summary', { hasText: 'Text in the picture' }).click();
    assert.match(await page.getByLabel('Text in the picture').inputValue(), word);
    await assertSound(page);
    await page.goto('/web/settings/uploads');
    assert.ok(await page.getByLabel('Read the words in my pictures').isChecked());
    await assertSound(page);
  });
});

run();
