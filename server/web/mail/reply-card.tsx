import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { TextArea } from '../components/form/field.js';
import { bind, Form, type FormState, stateOf, untouched } from '../components/form/form.js';
import { Card } from '../components/parts.js';

/** Answers a message from the address of its mailbox. */
export function ReplyCard({
  action,
  mailbox,
  state = untouched,
}: {
  readonly action: string;
  readonly mailbox: string;
  readonly state?: FormState | undefined;
}) {
  const own = stateOf(state, 'reply');
  const { field } = bind(own);
  return (
    <Card title={t('Reply')}>
      <Form action={action} state={own}>
        <TextArea
          {...field('text')}
          label={t('Your answer')}
          hint={t('It is sent from {mailbox}.', { mailbox })}
          rows={5}
          required
        />
        <Submit name="action" value="reply">
          {t('Send')}
        </Submit>
      </Form>
    </Card>
  );
}
