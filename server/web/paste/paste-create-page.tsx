import { LANGUAGES } from '../../../routers/ports/highlight.js';
import { Submit } from '../components/button.js';
import { Check, Select } from '../components/form/choices.js';
import { Field, FileInput, TextArea } from '../components/form/field.js';
import { Form, ticked, typed, untouched } from '../components/form/form.js';
import { KeyField, lifetimes, NewPassword, Options } from '../components/form/new-item.js';
import { Heading, Page } from '../components/page/page.js';
import type { FormPageProps } from '../page-props.js';

const languageChoices = [
  ['', 'Detect automatically'],
  ...LANGUAGES.map((name) => [name, name] as const),
] as const;

/** The form for a new paste: typed text, or a file. */
export function PasteCreatePage({ site, state = untouched }: FormPageProps) {
  const { errors } = state;
  return (
    <Page site={site} title="New paste">
      <Heading title="New paste" lead="Text or code, up to 1 MB." />
      <Form action="/web/paste-create" state={state} files>
        {site.viewer === null && <KeyField site={site} />}
        <Field
          name="title"
          label="Title"
          value={typed(state, 'title')}
          error={errors.title}
          maxLength={200}
          optional
        />
        <TextArea
          name="text"
          label="Text"
          value={typed(state, 'text')}
          error={errors.text}
          rows={14}
          code
          spellcheck={false}
        />
        <div class="pair">
          <Select
            name="language"
            label="Language"
            value={typed(state, 'language')}
            options={languageChoices}
          />
          <Select
            name="expiresIn"
            label="Expires after"
            value={typed(state, 'expiresIn')}
            options={lifetimes}
          />
        </div>
        <Options state={state}>
          <div class="form">
            <div class="field">
              <label for="file">
                Upload a text file instead<span class="optional"> optional</span>
              </label>
              <FileInput lost={state.lost.includes('file')} />
            </div>
            <NewPassword state={state} />
            <Check name="private" label="Only I can see it" checked={ticked(state, 'private', false)} />
            <Check
              name="burn"
              label="Burn after reading"
              hint="It can be read once and is then deleted."
              checked={ticked(state, 'burn', false)}
            />
          </div>
        </Options>
        <div class="actions">
          <Submit icon="plus">Create paste</Submit>
        </div>
      </Form>
    </Page>
  );
}
