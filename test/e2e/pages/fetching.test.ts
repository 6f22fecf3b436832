/** Files that the server fetches, as its page shows them in a browser, with scripts and without. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { until } from '../../support/until.js';
import { openPage, signIn } from '../../support/web/browser.js';
import { assertSound, both, pageSuite } from '../../support/web/pages.js';
import { LOOPBACK_ALLOWED } from '../../support/web/webhook.js';

const { check, run } = pageSuite('files that the server fetches', LOOPBACK_ALLOWED);
const QUARTER = Buffer.alloc(128 * 1024, 'a');

/** A server that sends a quarter of a file, and the rest when it is told to. */
async function slowServer() {
  const open: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/gone') return response.writeHead(404).end();
    response.writeHead(200, { 'content-length': String(4 * QUARTER.length) });
    return response.write(QUARTER, () => open.push(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { base, open, close };
}

for (const [how, javaScriptEnabled] of both) {
  check(`a transfer shows how far it is while it goes on, ${how}`, async ({ server, browser, account }) => {
    const other = await slowServer();
    const { page, faults, close } = await openPage(browser, server, { javaScriptEnabled });
    await signIn(page, account);
    await page.goto('/web/image-upload/url');
    await page.getByLabel('Address').fill(`${other.base}/slow.bin`);
    await page.getByRole('button', { name: 'Fetch and upload' }).click();
    await page.getByText('25 % of 512 KB').waitFor();
    // Without scripts, the page is loaded again while it is looked at.
    if (javaScriptEnabled) await assertSound(page, 'transfer');
    other.open[0]?.write(QUARTER);
    await page.getByText('50 % of 512 KB').waitFor();
    other.open[0]?.end(Buffer.concat([QUARTER, QUARTER]));
    await page.getByRole('heading', { name: 'Uploaded' }).waitFor();
    assert.ok((await page.getByLabel('Direct link').count()) > 0);
    assert.equal(faults, []);
    await close();
    other.close();
  });

  check(
    `a transfer is cancelled, and what fails is said in the form, ${how}`,
    async ({ server, browser, account }) => {
      const other = await slowServer();
      const { page, close } = await openPage(browser, server, { javaScriptEnabled });
      await signIn(page, account);
      await page.goto('/web/image-upload/url');
      await page.getByLabel('Address').fill(`${other.base}/slow.bin`);
      await page.getByRole('button', { name: 'Fetch and upload' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The transfer was cancelled. Nothing of the file was kept.').waitFor();
      await until(async () => other.open[0]?.destroyed === true);

      await page.getByLabel('Address').fill(`${other.base}/gone`);
      await page.getByRole('button', { name: 'Fetch and upload' }).click();
      await page.getByText('Nothing is at the address (status 404): check that a browser shows').waitFor();
      await page.getByLabel('Address').fill(`${other.base}/cut.bin`);
      await page.getByRole('button', { name: 'Fetch and upload' }).click();
      await page.getByText('25 % of 512 KB').waitFor();
      other.open[1]?.destroy();
      await page.getByText('The connection to the other server was lost: try again').waitFor();
      assert.is(await page.getByLabel('Address').inputValue(), `${other.base}/cut.bin`);
      await close();
      other.close();
    },
  );
}

run();
