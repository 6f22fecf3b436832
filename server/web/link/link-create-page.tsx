import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, typed, untouched } from '../components/form/form.js';
import { KeyField, Lifetime, Options, OwnAddress, TagsField } from '../components/form/new-item.js';
import { NewPassword } from '../components/form/passwords.js';
import { Heading, Page } from '../components/page/page.js';
import type { FormPageProps } from '../page-props.js';

/** The form for a new short link. */
export function LinkCreatePage({ site, state = untouched }: FormPageProps) {
  const { errors } = state;
  return (
    <Page site={site} title={t('New link')}>
      <Heading title={t('New link')} lead={t('Turn a long URL into a short link.')} />
      <Form action="/web/url-create" state={state}>
        {site.viewer === null && <KeyField site={site} />}
        <Field
          name="url"
          label="URL"
          value={typed(state, 'url')}
          error={errors.url}
          inputMode="url"
          placeholder="https://example.org/a/long/path"
          spellcheck={false}
          required
        />
        <Options state={state}>
          <div class="form pair">
            <OwnAddress state={state} hint={t('Letters, digits, - and _')} />
            <Field
              name="maxUses"
              type="number"
              label={t('Use limit')}
              value={typed(state, 'maxUses')}
              error={errors.maxUses}
              min={1}
              inputMode="numeric"
              optional
            />
            <NewPassword state={state} />
            <Lifetime site={site} state={state} />
            <TagsField state={state} />
          </div>
        </Options>
        <div class="actions">
          <Submit icon="link">{t('Shorten')}</Submit>
        </div>
      </Form>
    </Page>
  );
}
