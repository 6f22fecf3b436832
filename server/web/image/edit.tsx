import { t } from '../../../routers/base/language/i18n.js';
import { Amount, Field } from '../components/form/field.js';
import { Stage } from '../components/item/media.js';
import type { Editing } from '../edit/editing.js';

/** How uploads are edited. */
export const imageEditing: Editing = {
  hasFile: true,
  idsByAdministrators: false,
  open: async ({ image }, uniqueId) => {
    const record = await image.info({ uniqueId });
    return {
      record,
      preview: <Stage image={record} password={null} beside />,
      fields: ({ field }) => (
        <>
          {!record.sealed && (
            <>
              <Field {...field('originalName', record.originalName)} label={t('File name')} maxLength={255} />
              <Field {...field('desc', record.description)} label={t('Description')} maxLength={200} />
            </>
          )}
        </>
      ),
      ends: ({ field }) => <Amount {...field('maxViews', record.maxViews)} label={t('View limit')} />,
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
