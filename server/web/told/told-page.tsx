import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import type { PageProps } from '../page-props.js';
import type { Stoppable } from '../records.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** Asks whether mails are to end, or says that they have. */
export function ToldPage({
  site,
  about: { all, name, told },
  action,
}: PageProps<{
  readonly about: Stoppable;
  /** Where the form goes; null once it was sent. */
  readonly action: string | null;
}>) {
  if (action === null || !told)
    return (
      <AuthLayout site={site} title={t('You get no more of these e-mails')}>
        <p class="hint">{t('Its owner can ask for them again on its page.')}</p>
      </AuthLayout>
    );
  return (
    <AuthLayout site={site} title={t('Stop these e-mails?')}>
      <p class="hint">
        {all || name === null
          ? t('You are then no longer told about anything that is opened or comes in.')
          : t('You are then no longer told about “{name}”.', { name })}
      </p>
      <Form action={action}>
        <Submit>{t('Stop these e-mails')}</Submit>
      </Form>
    </AuthLayout>
  );
}
