import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { speechOf } from '../../routers/base/language/i18n.js';
import { told } from '../../routers/base/language/localizable.js';
import { failureOf, toldIn, whyFailed } from '../../routers/features/upload/reason.js';

const test = suite('why an upload failed');

test('a reason within a reason is kept, and said in the language of whoever asks', async () => {
  const kept = failureOf(
    { isFetched: true },
    told('{field}: {why}', { field: 'maxViews', why: told('must be a whole number') }),
  );
  assert.is(kept.reason, 'maxViews: must be a whole number');
  // As the database keeps it.
  const fields: unknown = JSON.parse(JSON.stringify(kept.fields));
  const why = whyFailed({ reason: kept.reason, fields } as Parameters<typeof whyFailed>[0]);
  assert.ok(why !== null);
  assert.is((await speechOf('de')).tell(toldIn(why)), 'maxViews: Das muss eine ganze Zahl sein');
  assert.is((await speechOf('en')).tell(toldIn(why)), kept.reason);
});

test('one that was kept before is said as it was', async () => {
  const why = whyFailed({ reason: 'The file is gone', fields: {} } as Parameters<typeof whyFailed>[0]);
  assert.ok(why !== null);
  assert.is((await speechOf('de')).tell(toldIn(why)), 'The file is gone');
});

test.run();
