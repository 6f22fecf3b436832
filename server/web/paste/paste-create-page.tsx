import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Check, Select } from '../components/form/choices.js';
import { Field, FileInput, TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { KeyField, Lifetime, Options, TagsField } from '../components/form/new-item.js';
import { NewPassword } from '../components/form/passwords.js';
import { Heading, Page } from '../components/page/page.js';
import type { FormPageProps } from '../page-props.js';
import { SealChoice, SealedMade } from '../sealed/sealed-choice.js';
import { FileFields } from './file-fields.js';
import { languageChoices } from './languages.js';

/** The form for a new paste: typed text, or a file. */
export function PasteCreatePage({
  site,
  recipient,
  state = untouched,
}: FormPageProps<{ readonly recipient: string | null }>) {
  const form = bind(state);
  const { field, box } = form;
  return (
    <Page site={site} title={t('New paste')} scripts={['editor']}>
      <Heading title={t('New paste')} lead={t('Text or code, up to 1 MB.')} />
      <SealedMade />
      <Form action="/web/paste-create" state={state} files>
        {site.viewer === null && <KeyField site={site} />}
        <Field {...field('title')} label={t('Title')} maxLength={200} />
        <TextArea
          {...field('text')}
          label={t('Text')}
          rows={14}
          code
          editor
          detects={site.viewer !== null}
          autofocus={site.viewer !== null && state === untouched}
          hint={
            <span class="by-mouse">
              {t(
                'Tab indents, Escape and Tab leave the field, Ctrl+Enter creates the paste. Text files can be dropped here.',
              )}
            </span>
          }
          spellcheck={false}
        />
        <div class="pair">
          <Select {...field('language')} label={t('Language')} options={languageChoices()} />
          <Lifetime site={site} state={state} />
        </div>
        <FileFields form={form} files={[]} first={2} />
        <Options state={state}>
          <div class="form">
            <div class="field">
              <label for="file">{t('Upload a text file instead')}</label>
              <FileInput lost={state.lost.includes('file')} />
            </div>
            <NewPassword state={state} />
            <TagsField state={state} />
            <Check {...box('private')} label={t('Only I can see it')} />
            <Check
              {...box('burn')}
              label={t('Burn after reading')}
              hint={t('It can be read once and is then deleted.')}
            />
            <SealChoice own={recipient} />
          </div>
        </Options>
        <div class="actions">
          <Submit icon="plus">{t('Create paste')}</Submit>
        </div>
      </Form>
    </Page>
  );
}
