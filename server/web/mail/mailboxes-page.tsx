import { msg, t } from '../../../routers/base/language/i18n.js';
import { mailboxPath } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { type Row, Rows } from '../components/list/rows.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Empty, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { MailboxRecord } from '../records.js';
import { mayMake } from '../site.js';
import { Unread } from './inbox.js';
import { statusBadge } from './status.js';

const lives = [
  ['', msg('Never')],
  ['1h', msg('1 hour')],
  ['24h', msg('1 day')],
  ['168h', msg('1 week')],
  ['720h', msg('30 days')],
] as const;

const rowOf = ({ email, status, expireAt, unread }: MailboxRecord & { readonly unread: number }): Row => ({
  name: email,
  href: mailboxPath(email),
  mark: { icon: 'mail' },
  signs: unread > 0 && <Unread count={unread} />,
  line: [
    statusBadge(status),
    expireAt === 'never' ? null : (
      <span key="end">
        {status === 'EXPIRED' ? t('Expired') : t('Expires')} <Time at={expireAt} />
      </span>
    ),
  ],
  actions: <CopyButton look="quiet" text={email} label={t('Copy {email}', { email })} />,
});

/** The mailboxes of a user. */
export function MailboxesPage({
  site,
  mailboxes,
  state = untouched,
}: FormPageProps<{
  readonly mailboxes: readonly (MailboxRecord & { readonly unread: number })[];
}>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('Mailboxes')}>
      <Heading title={t('Mailboxes')} lead={t('E-mail addresses to give out for as long as you need them.')}>
        <LinkButton href="/web/sent-mail" icon="mail">
          {t('Sent mail')}
        </LinkButton>
      </Heading>
      {mailboxes.length === 0 ? (
        <Empty icon="mail" title={t('No mailboxes yet')} />
      ) : (
        <Card>
          <Rows rows={mailboxes} rowKey={(box) => box.email} row={rowOf} />
        </Card>
      )}
      {mayMake(site.viewer) && (
        <Card title={t('New mailbox')}>
          <Form action="/web/mailboxes" state={state}>
            <div class="pair">
              <Field
                {...field('name')}
                label={t('Name before the @')}
                maxLength={40}
                hint={t('Leave empty for a random name.')}
                spellcheck={false}
              />
              <Select {...field('expiresIn')} label={t('Expires after')} options={optionsOf(lives)} />
            </div>
            <Submit icon="plus">{t('Create')}</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
