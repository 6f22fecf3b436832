import type { Fields } from '../../../rest-adapter/fields.js';
import { t } from '../../../routers/base/language/i18n.js';
import { Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import type { Editing } from '../edit/editing.js';
import { reasonOf } from '../refusal.js';
import { FileFields, filesIn } from './file-fields.js';
import { languageChoices } from './languages.js';

/** How pastes are edited. The text of one that can only be read once is neither shown nor changed. */
export const pasteEditing: Editing = {
  hasFile: false,
  idsByAdministrators: true,
  open: async ({ paste }, uniqueId) => {
    const record = await paste.get({ uniqueId }).catch((error: unknown) => {
      if (reasonOf(error) === 'CONFIRM_BURN') return paste.described({ uniqueId });
      throw error;
    });
    return {
      record,
      scripts: ['editor'],
      hasText: !record.burn && !record.sealed,
      fields: (form) => {
        const { field } = form;
        const isShown = !record.burn && !record.sealed;
        return (
          <>
            {!record.sealed && (
              <Field
                {...field('title', record.title === record.uniqueId ? '' : record.title)}
                label={t('Title')}
                maxLength={200}
              />
            )}
            {isShown && record.files === null && (
              <TextArea
                {...field('text', record.content)}
                label={t('Text')}
                rows={16}
                code
                editor
                detects
                spellcheck={false}
                required
              />
            )}
            {!record.sealed && record.files === null && (
              <Select
                {...field('language', record.language)}
                label={t('Language')}
                options={languageChoices()}
              />
            )}
            {isShown && (
              <FileFields form={form} files={record.files ?? []} first={record.files === null ? 2 : 1} />
            )}
          </>
        );
      },
    };
  },
  change: ({ paste }, uniqueId, common, body) =>
    paste.change({ uniqueId, ...common, title: body.string('title'), ...textsIn(body) }),
};

/** The text or the files of a sent form. */
function textsIn(body: Fields) {
  const files = filesIn(body);
  const [text, language] = [body.text('text'), body.text('language')];
  if (text !== undefined && files.length > 0)
    return { files: [{ name: body.string('title').trim() || 'file.txt', text, language }, ...files] };
  return files.length > 0 || body.text('name-1') !== undefined ? { files } : { text, language };
}
