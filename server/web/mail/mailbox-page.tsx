import { listPath, mailboxPath } from '../address.js';
import { CopyButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { MailboxRecord, MessageRecord, Paged } from '../records.js';
import { Status } from './status.js';

/** One mailbox with its messages and actions. */
export function MailboxPage({
  site,
  mailbox,
  list,
}: PageProps<{
  readonly mailbox: MailboxRecord;
  /** Newest first. */
  readonly list: Paged<Pick<MessageRecord, 'messageId' | 'from' | 'subject' | 'date'>>;
}>) {
  const path = mailboxPath(mailbox.email);
  return (
    <Page site={site} title={mailbox.email} scripts={['live']}>
      <Heading title={mailbox.email} lead={<Status status={mailbox.status} />}>
        <CopyButton text={mailbox.email}>Copy</CopyButton>
      </Heading>
      <Card title="Messages">
        {list.total === 0 ? (
          <p class="hint">
            {mailbox.status === 'OPEN'
              ? 'No messages yet. New mail appears here automatically.'
              : `No messages, and none can arrive while the mailbox is ${mailbox.status.toLowerCase()}.`}
          </p>
        ) : (
          <ul class="rows">
            {list.items.map((message) => (
              <li key={message.messageId}>
                <span class="what">
                  <a href={`${path}/message?id=${encodeURIComponent(message.messageId)}`} dir="auto">
                    {message.subject || '(no subject)'}
                  </a>
                  <br />
                  <span class="hint" dir="auto">
                    {message.from}
                  </span>
                </span>
                <span class="hint">
                  <Time at={message.date} />
                </span>
              </li>
            ))}
          </ul>
        )}
        <Pager list={list} href={(page) => listPath(path, { page })} />
        {list.page === 0 && (
          <span
            data-mailbox={mailbox.email}
            data-newest={encodeURIComponent(list.items[0]?.messageId ?? '')}
            hidden
          />
        )}
      </Card>
      <Card title="Manage mailbox">
        <Form action={path}>
          <div class="actions">
            {mailbox.status === 'OPEN' ? (
              <>
                <Submit look="plain" name="action" value="suspend">
                  Suspend
                </Submit>
                <Submit look="plain" name="action" value="close">
                  Close
                </Submit>
              </>
            ) : (
              <Submit look="plain" name="action" value="open">
                Reopen
              </Submit>
            )}
          </div>
        </Form>
        <Ask
          action={path}
          value="empty"
          label="Delete all messages"
          lost="This permanently deletes every message and its attachments. The address stays."
          sure="Yes, delete all messages"
        />
        <Ask
          action={path}
          value="delete"
          label="Delete the mailbox"
          lost={`This permanently deletes all its messages, and nobody, including you, can use ${mailbox.email} again. To stop receiving mail for a while, close it instead.`}
          sure="Yes, delete the mailbox"
        />
      </Card>
    </Page>
  );
}
