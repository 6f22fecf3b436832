import { t } from '../../../routers/base/language/i18n.js';
import { SLUG_PATTERN } from '../../../routers/base/slug.js';
import { Submit } from '../components/button.js';
import { Select } from '../components/form/choices.js';
import { Amount, Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { KeyField, Lifetime, Options, OwnAddress, TagsField } from '../components/form/new-item.js';
import { NewPassword } from '../components/form/passwords.js';
import { Heading, Page } from '../components/page/page.js';
import type { FormPageProps } from '../page-props.js';
import { DomainChoice } from './domain-choice.js';

/** The form for a new short link. */
export function LinkCreatePage({
  site,
  hosts,
  presets,
  state = untouched,
}: FormPageProps<{ readonly hosts: readonly string[]; readonly presets: readonly string[] }>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('New link')}>
      <Heading title={t('New link')} lead={t('Turn a long URL into a short link.')} />
      <Form action="/web/url-create" state={state}>
        {site.viewer === null && <KeyField site={site} />}
        <Field
          {...field('url')}
          label="URL"
          inputMode="url"
          placeholder="https://example.org/a/long/path"
          spellcheck={false}
          autofocus={site.viewer !== null && state === untouched}
          required
        />
        <Options state={state}>
          <div class="form pair">
            <OwnAddress
              state={state}
              hint={t('Letters and digits of any script, -, _, ., ~ and / between them')}
              pattern={SLUG_PATTERN}
            />
            <DomainChoice hosts={hosts} value={field('domain').value ?? null} />
            {presets.length > 0 && (
              <Select
                {...field('utm', '')}
                label={t('Campaign')}
                options={[['', t('None')], ...presets.map((name) => [name, name] as const)]}
              />
            )}
            <Amount {...field('maxUses')} label={t('Use limit')} />
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
