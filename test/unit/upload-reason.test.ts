import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { i18nOf } from '../../routers/base/language/i18n.js';
import { localizable } from '../../routers/base/language/localizable.js';
import { failureOf, reasonIn, whyFailed } from '../../routers/features/upload/reason.js';

const test = suite('why an upload failed');

test('a reason within a reason is kept, and said in the language of whoever asks', async () => {
  const kept = failureOf(
    { isFetched: true },
    localizable('{field}: {why}', { field: 'maxViews', why: localizable('must be a whole number') }),
  );
  assert.is(kept.reason, 'maxViews: must be a whole number');
  // As the database keeps it.
  const fields: unknown = JSON.parse(JSON.stringify(kept.fields));
  const why = whyFailed({ reason: kept.reason, fields } as Parameters<typeof whyFailed>[0]);
  assert.ok(why !== null);
  assert.is((await i18nOf('de')).translate(reasonIn(why)), 'maxViews: Das muss eine ganze Zahl sein');
  assert.is((await i18nOf('en')).translate(reasonIn(why)), kept.reason);
});

test('one that was kept before is said as it was', async () => {
  const why = whyFailed({ reason: 'The file is gone', fields: {} } as Parameters<typeof whyFailed>[0]);
  assert.ok(why !== null);
  assert.is((await i18nOf('de')).translate(reasonIn(why)), 'The file is gone');
});

test.run();
