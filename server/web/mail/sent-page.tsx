import { msg, msgc, t, tc, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { mailboxPath } from '../address.js';
import { Choice } from '../components/list/filter.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Badge, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { Paged, SentRecord } from '../records.js';

/** The states that the list of sent mails can be narrowed to. */
export const SENT_STATES = ['', 'QUEUED', 'DELAYED', 'SENT', 'DELIVERED', 'FAILED'] as const;
type State = SentRecord['recipients'][number]['state'];

const WORDS: Readonly<Record<State, readonly [label: Message, look: 'plain' | 'good' | 'warn' | 'bad']>> = {
  QUEUED: [msg('waiting'), 'plain'],
  DELAYED: [msg('tried again'), 'warn'],
  SENT: [msg('sent'), 'good'],
  DELIVERED: [msg('delivered'), 'good'],
  FAILED: [msg('failed'), 'bad'],
};

/** What a mail is, and from which mailbox it was sent. */
const KINDS: Readonly<Record<SentRecord['kind'], Message>> = {
  WRITTEN: msg('Mail from {from}'),
  REPLY: msg('Answer from {from}'),
  FORWARD: msg('Forwarded from {from}'),
};

/** The page of a message in a mailbox. */
const messagePath = (mailbox: string, messageId: string): string =>
  `${mailboxPath(mailbox)}/message?id=${encodeURIComponent(messageId)}`;

/** The recipients of a mail, and what became of it for each. */
export function Recipients({ sent: { mailbox, recipients } }: { readonly sent: SentRecord }) {
  return (
    <ul class="plain">
      {recipients.map(({ address, state, answer, report }) => {
        const [label, look] = WORDS[state];
        return (
          <li key={address}>
            <span dir="auto">{address}</span> <Badge look={look}>{translateMessage(label)}</Badge>
            {answer !== null && (
              <>
                <br />
                <span class="hint" dir="auto">
                  {answer}
                </span>
              </>
            )}
            {report !== null && mailbox !== null && (
              <>
                {' '}
                <a href={messagePath(mailbox, report)}>{tc('mail', 'Report')}</a>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** What a mail is, with a link to the one that it is about. */
export function SentSubject({ sent }: { readonly sent: SentRecord }) {
  const { mailbox, about } = sent;
  const subject = sent.subject || t('(no subject)');
  return (
    <>
      {mailbox !== null && about !== null ? (
        <a href={messagePath(mailbox, about)} dir="auto">
          {subject}
        </a>
      ) : (
        <span dir="auto">{subject}</span>
      )}
      <br />
      <span class="hint">{translateMessage(KINDS[sent.kind], { from: sent.from })}</span>
    </>
  );
}

const columns: readonly Column<SentRecord>[] = [
  { head: msgc('letter', 'Mail'), cell: (sent) => <SentSubject sent={sent} /> },
  { head: msg('Recipients'), cell: (sent) => <Recipients sent={sent} /> },
  { head: msg('Sent'), kind: 'short', cell: (sent) => <Time at={sent.sentAt} /> },
];

/** The mails that an account has sent. */
export function SentPage({
  site,
  list,
  state,
}: PageProps<{ readonly list: Paged<SentRecord>; readonly state: string }>) {
  return (
    <ListPage
      site={site}
      title={t('Sent mail')}
      lead={t('What became of it in the last 30 days.')}
      path="/web/sent-mail"
      list={list}
      filter={{ state }}
      empty={{ icon: 'mail', title: state === '' ? t('Nothing was sent') : t('Nothing matches') }}
      columns={columns}
      rowKey={({ messageId }) => messageId}
      actions={
        <form class="inline" method="get" action="/web/sent-mail">
          <Choice
            name="state"
            label={t('Which')}
            value={state}
            options={SENT_STATES.map(
              (one) => [one, one === '' ? t('All mails') : translateMessage(WORDS[one][0])] as const,
            )}
          />
          <button type="submit" class="button plain">
            {t('Show')}
          </button>
        </form>
      }
    />
  );
}
