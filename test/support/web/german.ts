import * as assert from 'uvu/assert';
import { sessionOf } from '../accounts/accounts.js';
import { openPage } from './browser.js';
import { listenForEnglish } from './heard.js';
import type { Place } from './pages.js';

/** Opens a page as a German reader, signed in; `done` checks that nothing was English, and that this was said. */
export async function openGerman({ server, browser, account }: Place) {
  const { page, close } = await openPage(browser, server, { locale: 'de-DE' });
  const session = await sessionOf(server, account);
  await page.context().addCookies([{ name: 'session_token', value: session, url: server.origin }]);
  const { english, said } = await listenForEnglish(page, 'de');
  const done = async (...texts: readonly string[]): Promise<void> => {
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'de');
    assert.equal(english(), []);
    for (const text of texts) assert.ok(said(text), `was not said: ${text}`);
    await close();
  };
  return { page, done };
}
