/** What the viewer, the editor, lists and passkeys say to a German reader: not a word of English, whatever happens. */
import * as assert from 'uvu/assert';
import { fileForm } from '../../harness.js';
import { jpegPhoto } from '../../support/media/media-fixtures.js';
import { addAuthenticator, openPage } from '../../support/web/browser.js';
import { openGerman } from '../../support/web/german.js';
import { listenForEnglish } from '../../support/web/heard.js';
import { pageSuite } from '../../support/web/pages.js';

const { check, run } = pageSuite('scripts in German', { TRASH_DAYS: '7' });

check('English is heard where it is spoken', async ({ server, browser }) => {
  const { page, close } = await openPage(browser, server, { locale: 'en-GB' });
  const { english } = await listenForEnglish(page, 'de');
  await page.goto('/web/login');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  const heard = english();
  for (const text of ['Password', 'Keyboard shortcuts', 'The previous and the next item of a list'])
    assert.ok(heard.includes(text), text);
  await close();
});

check('the viewer, the keys, a theme that is not saved, and what was deleted', async (place) => {
  const { server, account } = place;
  const form = fileForm(await jpegPhoto(900, 600), 'berg.jpg', {}, 'image/jpeg');
  const { body } = await server.request('POST', '/image/upload', { key: account.key, form });
  const { page, done } = await openGerman(place);
  await page.goto(`/web/image-render/${body.uniqueId}`);
  await page.locator('a[data-zoom]').click();
  await page.locator('dialog.zoom').getByRole('button', { name: 'Schließen' }).click();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Tastenkürzel' }).waitFor();
  await page.keyboard.press('Escape');
  await page.route('**/web/theme', (route) => route.abort());
  await page.locator('details[data-menu] summary').last().click();
  await page.getByRole('button', { name: 'Dunkel' }).click();
  await page.keyboard.press('Escape');
  await page.getByText('Das Design konnte nicht für andere Seiten gespeichert werden').waitFor();
  await page.goto('/web/library');
  await page.locator('input[name=ids]').check();
  await page.getByText('1 ausgewählt').waitFor();
  await page.locator('[data-bulk]').getByRole('button', { name: 'Löschen' }).click();
  await page.getByRole('heading', { name: '1 Inhalt löschen?' }).waitFor();
  await page.getByRole('button', { name: 'Löschen' }).click();
  await page.getByRole('button', { name: 'Rückgängig' }).click();
  await page.getByText('Wiederhergestellt.').waitFor();
  await done('Der vorige und der nächste Inhalt einer Liste');
});

check('the editor: what is no text, the language, and a second press', async (place) => {
  const { page, done } = await openGerman(place);
  await page.goto('/web/paste-create');
  const drop = (length: number, name: string) =>
    page.evaluate(
      ([size, title]) => {
        const files = new DataTransfer();
        files.items.add(new File([new Uint8Array(size as number)], title as string));
        const event = new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
        document.querySelector('textarea')?.dispatchEvent(event);
      },
      [length, name] as const,
    );
  await drop(3, 'bild.bin');
  await page.getByText('bild.bin ist kein Text').waitFor();
  await drop(1024 * 1024 + 1, 'roman.txt');
  await page.getByText('roman.txt ist größer als 1 MB').waitFor();
  await page.locator('#text').fill('Guten Tag');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('option')].some(({ text }) => /^Automatisch erkennen: /.test(text)),
  );
  // The answer leaves the page as it is.
  await page.route('**/web/paste-create', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
  );
  await page.evaluate(() => {
    const form = document.querySelector('textarea')?.form;
    form?.requestSubmit();
    form?.requestSubmit();
  });
  await page.locator('.toasts p', { hasText: 'Dies wird bereits gesendet' }).waitFor();
  await done();
});

check('passkeys that the server or the device refuses', async (place) => {
  const { page, done } = await openGerman(place);
  await addAuthenticator(page);
  const { db } = place.server.app.services;
  await db.write((trx) => trx('sessions').where('user_id', place.account.id).update({ created_at: 1 }));
  await page.goto('/web/settings/security/passkeys');
  const add = async (password: string): Promise<void> => {
    const form = page.locator('form[data-passkey-add]');
    await form.locator('[name=name]').fill('Laptop');
    await form.locator('[name=password]').fill(password);
    await form.getByRole('button').click();
  };
  await add('falsch');
  await page.locator('#password-error', { hasText: 'Passwort' }).waitFor();
  await add(place.account.password);
  await page.getByText('Der Passkey wurde hinzugefügt').waitFor();
  await add(place.account.password);
  await page.getByText('Dieses Gerät hat bereits einen Passkey für Ihr Konto').waitFor();
  await page.route('**/register/options', (route) => route.abort());
  await add(place.account.password);
  await page.getByText('Der Server hat nicht geantwortet').waitFor();
  await done();
});

run();
