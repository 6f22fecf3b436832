import type { OwnedKind } from '../../../routers/base/kinds.js';
import { msg, t } from '../../../routers/base/language/i18n.js';
import { notifyPath } from '../address.js';
import { Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Form } from '../components/form/form.js';
import type { PageRequest } from '../request.js';

const CHOICES = [
  ['none', msg('Never')],
  ['first', msg('The first time')],
  ['each', msg('Each time')],
  ['daily', msg('Once a day')],
] as const;

/** How often an owner is told. */
export type Notify = (typeof CHOICES)[number][0];

/** Chooses how often its owner is told about something. */
export const NotifyChoice = ({ value, ...field }: Omit<Parameters<typeof Select>[0], 'options'>) => (
  <Select {...field} value={value ?? 'none'} options={optionsOf(CHOICES)} />
);

/** The choice of a form; undefined without one. */
export const notifyIn = (body: PageRequest['body'], name = 'notify'): Notify | undefined =>
  CHOICES.map(([choice]) => choice).find((choice) => choice === body.string(name));

/** Lets its owner choose whether to be told that something was opened. */
export const NotifyForm = ({
  kind,
  uniqueId,
  notify,
}: {
  readonly kind: OwnedKind;
  readonly uniqueId: string;
  readonly notify: Notify;
}) => (
  <details class="more">
    <summary>
      {notify === 'none' ? t('Tell me when it is opened') : t('You are told when it is opened')}
    </summary>
    <Form action={notifyPath(kind, uniqueId)}>
      <NotifyChoice
        name="notify"
        value={notify}
        label={t('Tell me when it is opened')}
        hint={t('By e-mail and to your webhook. Programs and your own visits do not count.')}
      />
      <Submit look="plain">{t('Save')}</Submit>
    </Form>
  </details>
);
