import { t } from '../../../routers/base/language/i18n.js';
import { Field } from '../components/form/field.js';
import { typed } from '../components/form/form.js';
import type { Editing } from '../edit/editing.js';

/** How uploads are edited. */
export const imageEditing: Editing = {
  hasFile: true,
  idsByAdministrators: false,
  open: async ({ image }, uniqueId) => {
    const record = await image.info({ uniqueId });
    return {
      record,
      fields: (state, saved) => (
        <>
          <Field
            name="originalName"
            label={t('File name')}
            value={typed(state, 'originalName', record.originalName)}
            error={state.errors.originalName}
            hint={saved('originalName', record.originalName)}
            maxLength={255}
            optional
          />
          <Field
            name="desc"
            label={t('Description')}
            value={typed(state, 'desc', record.description)}
            error={state.errors.desc}
            hint={saved('desc', record.description)}
            maxLength={200}
            optional
          />
          <Field
            name="maxViews"
            type="number"
            label={t('View limit')}
            value={typed(state, 'maxViews', record.maxViews === null ? null : String(record.maxViews))}
            error={state.errors.maxViews}
            hint={saved('maxViews', record.maxViews?.toString())}
            min={1}
            inputMode="numeric"
            optional
          />
        </>
      ),
    };
  },
  change: ({ image }, uniqueId, common, body) =>
    image.change({
      uniqueId,
      ...common,
      originalName: body.string('originalName'),
      desc: body.string('desc'),
      maxViews: body.cleared((fields) => fields.number('maxViews'), 'maxViews'),
    }),
};
