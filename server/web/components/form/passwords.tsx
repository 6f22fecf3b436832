import { t } from '../../../../routers/base/language/i18n.js';
import { Field } from './field.js';
import { bind, type FormState, wrongPassword } from './form.js';

/** The password of a new item. After a refusal it has to be entered again. */
export function NewPassword({ state }: { readonly state: FormState }) {
  const lost = state.lost.includes('password');
  return (
    <Field
      name="password"
      type="password"
      label={t('Password')}
      error={wrongPassword(state)}
      // So that its style knows whether it is empty.
      placeholder=" "
      minLength={3}
      maxLength={100}
      autocomplete="new-password"
      required={lost}
    />
  );
}

/** A new password of an account. */
export function AccountPassword({
  name = 'password',
  label,
  state,
  hint = t('At least 8 characters'),
  required = true,
  autofocus,
}: {
  readonly name?: 'password' | 'newPassword';
  readonly label: string;
  readonly state: FormState;
  readonly hint?: string;
  readonly required?: boolean;
  readonly autofocus?: boolean;
}) {
  return (
    <Field
      name={name}
      type="password"
      label={label}
      error={name === 'password' ? wrongPassword(state) : state.errors[name]}
      minLength={8}
      maxLength={200}
      hint={hint}
      autocomplete="new-password"
      required={required}
      autofocus={autofocus}
    />
  );
}

/** The present password of the account, which confirms what its form does. */
export function OwnPassword({
  name = 'password',
  label = t('Password'),
  state,
  autofocus,
}: {
  readonly name?: 'password' | 'currentPassword';
  readonly label?: string;
  readonly autofocus?: boolean;
  readonly state: FormState;
}) {
  return (
    <Field
      {...bind(state).field(name)}
      type="password"
      label={label}
      autocomplete="current-password"
      autofocus={autofocus}
      required
    />
  );
}
