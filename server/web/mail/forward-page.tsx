import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import type { PageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** What the holder of an address opens from their mail; a button, because programs that examine mails open links. */
export function ForwardPage({
  site,
  request,
  code,
}: PageProps<{
  readonly request: { readonly email: string; readonly to: string };
  /** Null once it has been used. */
  readonly code: string | null;
}>) {
  return (
    <AuthLayout site={site} title={code === null ? t('Forwarding has started') : t('Forward mail to you?')}>
      <p>
        {rich(
          code === null
            ? 'From now on, mail to {from} is forwarded to {to}.'
            : 'Mail to {from} will be forwarded to {to}.',
          { from: <strong>{request.email}</strong>, to: <strong>{request.to}</strong> },
        )}
      </p>
      {code !== null && (
        <Form action="/web/mail-forward">
          <input type="hidden" name="code" value={code} />
          <Submit icon="check">{t('Agree')}</Submit>
        </Form>
      )}
    </AuthLayout>
  );
}
