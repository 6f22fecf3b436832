import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Card } from '../components/parts.js';

/** A first step: what to do, where, and whether it is done; null if nobody can tell. */
export interface Step {
  readonly text: Message;
  readonly href: string;
  readonly done: boolean | null;
}

/** The first steps of a new account, until they are done or dismissed. */
export function Checklist({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <Card
      title={t('First steps')}
      actions={
        <Form action="/web/first-steps" label={t('First steps')}>
          <Submit look="quiet">{t('Dismiss')}</Submit>
        </Form>
      }
    >
      <ul class="steps">
        {steps.map(({ text, href, done }) => (
          <li key={href}>
            <Icon name={done === true ? 'check' : 'plus'} />
            {done === true ? <s>{translateMessage(text)}</s> : <a href={href}>{translateMessage(text)}</a>}
            {done === true && <span class="unseen"> {t('(done)')}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
