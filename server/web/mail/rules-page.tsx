import { t } from '../../../routers/base/language/i18n.js';
import { mailboxPath, mailRulesPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, untouched } from '../components/form/form.js';
import { inEntry } from '../components/form/names.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { MailRule } from '../records.js';

/** The most rules that a mailbox has. */
export const MAX_RULES = 20;
const NO_RULE: MailRule = { when: {}, do: [] };

/** What a mailbox does with mail that fits: its rules, and room for another one. */
export function MailRulesPage({
  site,
  email,
  rules,
  state = untouched,
}: FormPageProps<{ readonly email: string; readonly rules: readonly MailRule[] }>) {
  const shown = [...rules, ...(rules.length < MAX_RULES ? [NO_RULE] : [])];
  return (
    <Page site={site} title={t('Rules of {email}', { email })}>
      <Heading
        title={t('Rules of {email}', { email })}
        lead={t('All that fit apply to new mail, in order. A rule that does nothing is removed.')}
      >
        <LinkButton href={mailboxPath(email)} icon="inbox">
          {t('Messages')}
        </LinkButton>
      </Heading>
      <Form action={mailRulesPath(email)} state={state}>
        {shown.map((rule, index) => (
          <RuleCard key={index} index={index} rule={rule} state={state} />
        ))}
        <div class="actions">
          <Submit>{t('Save')}</Submit>
        </div>
      </Form>
    </Page>
  );
}

function RuleCard({
  index,
  rule: { when, do: actions },
  state,
}: {
  readonly index: number;
  readonly rule: MailRule;
  readonly state: FormState;
}) {
  const { field, box } = bind(state);
  const at = (name: string) => inEntry('rules', index, name);
  const of = (kind: 'tag' | 'forward'): string | undefined =>
    actions
      .map((one) =>
        typeof one === 'object' && kind in one ? (one as Record<string, string>)[kind] : undefined,
      )
      .find(Boolean);
  const does = (name: string) =>
    actions.some((one) => one === name || (typeof one === 'object' && name in one));
  return (
    <Card title={actions.length === 0 ? t('New rule') : t('Rule {n}', { n: String(index + 1) })}>
      <div class="form pair">
        <Field {...field(at('when.from'), when.from)} label={t('If the sender contains')} maxLength={200} />
        <Field
          {...field(at('when.subject'), when.subject)}
          label={t('If the subject contains')}
          maxLength={200}
        />
      </div>
      <fieldset class="checks">
        <legend>{t('And only')}</legend>
        <Check {...box(at('when.hasAttachment'), when.hasAttachment)} label={t('with attachments')} />
        <Check {...box(at('when.codes'), when.codes)} label={t('with one-time codes')} />
      </fieldset>
      <fieldset class="checks">
        <legend>{t('Then')}</legend>
        <Check {...box(at('read'), does('read'))} label={t('mark it as read')} />
        <Check {...box(at('webhook'), does('webhook'))} label={t('tell the webhook')} />
        <Check {...box(at('delete'), does('delete'))} label={t('delete it')} />
      </fieldset>
      <div class="form pair">
        <Field {...field(at('tag'), of('tag'))} label={t('Add the tag')} maxLength={64} />
        <Field {...field(at('forward'), of('forward'))} type="email" label={t('Forward it to')} />
      </div>
    </Card>
  );
}
