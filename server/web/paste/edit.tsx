import { t } from '../../../routers/base/language/i18n.js';
import { Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import type { Editing } from '../edit/editing.js';
import { reasonOf } from '../refusal.js';
import { languageChoices } from './paste-create-page.js';

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
      fields: ({ field }) => (
        <>
          {!record.sealed && (
            <Field
              {...field('title', record.title === record.uniqueId ? '' : record.title)}
              label={t('Title')}
              maxLength={200}
            />
          )}
          {!record.burn && !record.sealed && (
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
          {!record.sealed && (
            <Select
              {...field('language', record.language)}
              label={t('Language')}
              options={languageChoices()}
            />
          )}
        </>
      ),
    };
  },
  change: ({ paste }, uniqueId, common, body) =>
    paste.change({
      uniqueId,
      ...common,
      text: body.text('text'),
      title: body.string('title'),
      language: body.string('language'),
    }),
};
