import { t } from '../../../routers/base/language/i18n.js';
import { Select } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { typed } from '../components/form/form.js';
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
      hasText: !record.burn,
      fields: (state, saved) => (
        <>
          <Field
            name="title"
            label={t('Title')}
            value={typed(state, 'title', record.title === record.uniqueId ? '' : record.title)}
            error={state.errors.title}
            hint={saved('title', record.title === record.uniqueId ? '' : record.title)}
            maxLength={200}
            optional
          />
          {!record.burn && (
            <TextArea
              name="text"
              label={t('Text')}
              value={typed(state, 'text', record.content)}
              error={state.errors.text}
              hint={saved('text', record.content)}
              rows={16}
              code
              editor
              detects
              spellcheck={false}
              required
            />
          )}
          <Select
            name="language"
            label={t('Language')}
            value={typed(state, 'language', record.language)}
            hint={saved('language', record.language)}
            options={languageChoices()}
          />
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
