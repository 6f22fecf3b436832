import { t } from '../../../routers/base/language/i18n.js';
import { LinkButton, Submit } from '../components/button.js';
import { Form, untouched } from '../components/form/form.js';
import { Solved } from '../components/form/solved.js';
import type { FormPageProps } from '../page-props.js';
import type { ChallengeTask } from '../records.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** Creates a mailbox for somebody without an account; the browser does some work for it. */
export function GuestPage({
  site,
  task,
  state = untouched,
}: FormPageProps<{
  readonly task: ChallengeTask;
}>) {
  return (
    <AuthLayout site={site} title={t('Temporary mailbox')} scripts={['proof']}>
      <p>
        {t('An e-mail address for seven days, without an account. Its mail is shown in this browser only.')}
      </p>
      <Form action="/web/guest-mailbox" state={state} challenge={task}>
        <Solved>
          <Submit icon="mail">{t('Create a mailbox')}</Submit>
        </Solved>
      </Form>
      {site.viewer !== null && (
        <LinkButton href="/web/mailboxes" icon="mail">
          {t('Your own mailboxes')}
        </LinkButton>
      )}
    </AuthLayout>
  );
}
