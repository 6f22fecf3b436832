import { t } from '../../../routers/base/language/i18n.js';
import { Field, TextArea } from '../components/form/field.js';
import { type FormState, typed } from '../components/form/form.js';
import type { PlaylistRecord } from '../records.js';

/** The fields for the title and the description of a playlist, a new one without `stored`. */
export function Words({
  state,
  stored = null,
}: {
  readonly state: FormState;
  readonly stored?: Pick<PlaylistRecord, 'title' | 'description'> | null;
}) {
  return (
    <>
      <Field
        name="title"
        label={t('Title')}
        value={typed(state, 'title', stored?.title)}
        error={state.errors.title}
        maxLength={200}
        required
      />
      <TextArea
        name="description"
        label={t('Description')}
        value={typed(state, 'description', stored?.description)}
        error={state.errors.description}
        maxLength={2000}
        rows={2}
        optional
      />
    </>
  );
}
