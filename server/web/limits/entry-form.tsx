import type { Fields } from '../../../rest-adapter/fields.js';
import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Amount, Field } from '../components/form/field.js';
import { bind, Form, type FormState } from '../components/form/form.js';
import type { RolePolicy } from '../records.js';

/** A form for the types of files that are accepted and for the lives of items; an empty field restricts nothing. */
export function EntryRulesForm({
  action,
  rules,
  state,
}: {
  readonly action: string;
  readonly rules: RolePolicy['entry'];
  readonly state: FormState;
}) {
  const { field } = bind(state);
  const days = (name: 'maxExpiryDays' | 'defaultExpiryDays', label: string) => (
    <Amount {...field(name, rules[name])} label={label} />
  );
  return (
    <Form action={action} state={state}>
      <Field
        {...field('types', rules.types.join(', '))}
        label={t('Accepted types')}
        hint={t(
          'Detected from the content, separated by commas: image/*, video/mp4. With ! in front a type is excluded.',
        )}
        placeholder="image/*, video/*, !image/gif"
        spellcheck={false}
      />
      <div class="pair">
        {days('maxExpiryDays', t('Maximum expiry (days)'))}
        {days('defaultExpiryDays', t('Default expiry (days)'))}
      </div>
      <Submit name="action" value="entry">
        {t('Save')}
      </Submit>
    </Form>
  );
}

/** The rules that the form sends. */
export const entryRulesIn = (body: Fields) => ({
  types: body.list('types'),
  maxExpiryDays: body.number('maxExpiryDays'),
  defaultExpiryDays: body.number('defaultExpiryDays'),
});
