import { t } from '../../../routers/base/language/i18n.js';
import { Check } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { ticked, typed } from '../components/form/form.js';
import type { Editing } from '../edit/editing.js';

/** How links are edited. */
export const linkEditing: Editing = {
  hasFile: false,
  idsByAdministrators: false,
  open: async ({ url }, uniqueId) => {
    const record = await url.get({ uniqueId });
    return {
      record,
      fields: (state, saved) => (
        <>
          <Field
            name="url"
            label="URL"
            value={typed(state, 'url', record.originalUrl)}
            error={state.errors.url}
            hint={saved('url', record.originalUrl)}
            inputMode="url"
            spellcheck={false}
            required
          />
          <Field
            name="maxUses"
            type="number"
            label={t('Use limit')}
            value={typed(state, 'maxUses', record.maxUses === -1 ? null : String(record.maxUses))}
            error={state.errors.maxUses}
            min={1}
            inputMode="numeric"
            hint={
              saved('maxUses', record.maxUses === -1 ? '' : String(record.maxUses)) ??
              t('Used {visits, plural, one {# time} other {# times}} so far.', { visits: record.visits })
            }
            optional
          />
          <Check
            name="forwardQuery"
            label={t('Pass the query of a visit on to the URL')}
            checked={ticked(state, 'forwardQuery', record.forwardQuery)}
          />
          <TextArea
            name="note"
            label={t('Note')}
            value={typed(state, 'note', record.note)}
            error={state.errors.note}
            hint={saved('note', record.note) ?? t('Only you see it.')}
            rows={2}
            maxLength={2_000}
            optional
          />
          <Field
            name="previewTitle"
            label={t('Title in link previews')}
            value={typed(state, 'previewTitle', record.preview?.title)}
            hint={saved('previewTitle', record.preview?.title)}
            maxLength={200}
            optional
          />
          <Field
            name="previewDescription"
            label={t('Text in link previews')}
            value={typed(state, 'previewDescription', record.preview?.description)}
            hint={saved('previewDescription', record.preview?.description)}
            maxLength={1_000}
            optional
          />
          <Field
            name="previewImage"
            label={t('Picture in link previews')}
            value={typed(state, 'previewImage', record.preview?.image)}
            hint={
              saved('previewImage', record.preview?.image) ??
              t('The ID of a picture of yours that everybody may open.')
            }
            maxLength={64}
            spellcheck={false}
            optional
          />
        </>
      ),
    };
  },
  change: ({ url }, uniqueId, common, body) =>
    url.change({
      uniqueId,
      ...common,
      url: body.string('url'),
      maxUses: body.cleared((fields) => fields.number('maxUses'), 'maxUses'),
      forwardQuery: body.boolean('forwardQuery') ?? false,
      note: body.string('note'),
      preview: {
        title: body.string('previewTitle'),
        description: body.string('previewDescription'),
        image: body.string('previewImage'),
      },
    }),
};
