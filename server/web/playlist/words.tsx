import { t } from '../../../routers/base/language/i18n.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, type FormState } from '../components/form/form.js';
import type { PlaylistRecord } from '../records.js';

/** The fields for the title and the description of a playlist, a new one without `stored`. */
export function Words({
  state,
  stored = null,
}: {
  readonly state: FormState;
  readonly stored?: Pick<PlaylistRecord, 'title' | 'description'> | null;
}) {
  const { field } = bind(state);
  return (
    <>
      <Field {...field('title', stored?.title)} label={t('Title')} maxLength={200} required />
      <TextArea
        {...field('description', stored?.description)}
        label={t('Description')}
        maxLength={2000}
        rows={2}
        optional
      />
    </>
  );
}
