/**
 * A page of all parts in all their states: accessible, within a phone, whole in both directions of writing. What it looks
 * like is in `dist/test/parts/`, for people.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import * as assert from 'uvu/assert';
import { ROOT } from '../../support/root.js';
import { findBarriers, overflowOf } from '../../support/web/browser.js';
import { pageSuite } from '../../support/web/pages.js';
import { PartsPage } from '../../support/web/parts.js';

const { check, run } = pageSuite('parts');
const FOLDER = join(ROOT, 'dist', 'test', 'parts');

for (const dir of ['ltr', 'rtl'] as const)
  for (const colorScheme of ['light', 'dark'] as const)
    check(
      `${dir}, ${colorScheme}: nothing is a barrier, and nothing is wider than a phone`,
      async ({ browser }) => {
        const assets = join(ROOT, 'dist', 'assets');
        const names = JSON.parse(await readFile(join(assets, 'manifest.json'), 'utf8'));
        const styles = await readFile(join(assets, names.style));
        const html = `<!doctype html>${renderToString(h(PartsPage, { styles: '/style.css', dir }))}`;
        const context = await browser.newContext({ colorScheme, viewport: { width: 1280, height: 900 } });
        await context.route('https://parts.example/**', (route) =>
          route.request().url().endsWith('.css')
            ? route.fulfill({ body: styles, contentType: 'text/css' })
            : route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
        );
        const page = await context.newPage();
        await page.goto('https://parts.example/');
        await mkdir(FOLDER, { recursive: true });
        await writeFile(
          join(FOLDER, 'index.html'),
          html.replace('/style.css', `../../assets/${names.style}`),
        );
        for (const width of [1280, 390, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(FOLDER, `${dir}-${colorScheme}-${width}.png`), fullPage: true });
          assert.is(await overflowOf(page), 0, `${width} px`);
          assert.equal(await findBarriers(page), []);
        }
        await context.close();
      },
    );

run();
