import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, stateOf, untouched } from '../components/form/form.js';
import { Card } from '../components/parts.js';
import type { ForwardRecord } from '../records.js';
import { rich } from '../rich.js';

/** Where the mail of a mailbox is forwarded to. */
export function ForwardCard({
  path,
  forward,
  state = untouched,
}: {
  readonly path: string;
  readonly forward: ForwardRecord;
  readonly state?: FormState | undefined;
}) {
  const own = stateOf(state, 'forward');
  const { field } = bind(own);
  return (
    <Card title={t('Forwarding')}>
      {forward.to !== null && (
        <Form action={path}>
          <p>
            {rich(
              forward.confirmed
                ? 'New mail is forwarded to {to}.'
                : 'Waiting for the agreement of {to}: open the link that was mailed there, within a day.',
              { to: <strong>{forward.to}</strong> },
            )}
          </p>
          <input type="hidden" name="to" value="" />
          <Submit look="plain" name="action" value="forward">
            {forward.confirmed ? t('Stop forwarding') : t('Withdraw')}
          </Submit>
        </Form>
      )}
      <Form action={path} state={own}>
        <Field
          {...field('to')}
          type="email"
          label={forward.to === null ? t('Forward new mail to') : t('Forward to another address')}
          hint={t(
            'Forwarding starts once the link that is mailed there has been opened. Messages stay here as well.',
          )}
          maxLength={320}
          required
        />
        <Submit look="plain" name="action" value="forward">
          {t('Forward')}
        </Submit>
      </Form>
    </Card>
  );
}
