import { listPath, mailboxPath } from '../address.js';
import { Ask } from '../components/ask.js';
import { CopyButton, Submit } from '../components/button.js';
import { Field, Select } from '../components/field.js';
import { Form, type FormState, typed, untouched } from '../components/form.js';
import { Heading, Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Badge, Card, Empty, Time } from '../components/parts.js';
import { type Column, Table } from '../components/table.js';
import type { MailboxRecord, MessageRecord, Paged } from '../records.js';
import { mayMake, type Site } from '../site.js';

const lives = [
  ['', 'For good'],
  ['1h', 'One hour'],
  ['24h', 'One day'],
  ['168h', 'One week'],
  ['720h', '30 days'],
] as const;

const columns: readonly Column<MailboxRecord>[] = [
  {
    head: 'Address',
    cell: (box) => <a href={mailboxPath(box.email)}>{box.email}</a>,
  },
  { head: 'State', cell: (box) => <Status status={box.status} /> },
  { head: 'Ends', cell: (box) => (box.expireAt === 'never' ? 'Never' : <Time at={box.expireAt} />) },
  {
    head: 'Copy',
    kind: 'action',
    cell: (box) => <CopyButton look="quiet" text={box.email} label={`Copy ${box.email}`} />,
  },
];

/** A person's receiving addresses. */
export function MailboxesPage({
  site,
  mailboxes,
  state = untouched,
}: {
  readonly site: Site;
  readonly mailboxes: readonly MailboxRecord[];
  readonly state?: FormState | undefined;
}) {
  return (
    <Page site={site} title="Mailboxes">
      <Heading title="Mailboxes" lead="Addresses to give away, for as long as they are needed." />
      {mailboxes.length === 0 ? (
        <Empty icon="mail" title="No mailboxes yet" />
      ) : (
        <Card>
          <Table caption="Mailboxes" columns={columns} rows={mailboxes} rowKey={(box) => box.email} />
        </Card>
      )}
      {mayMake(site.viewer) && (
        <Card title="New mailbox">
          <Form action="/web/mailboxes" state={state}>
            <div class="pair">
              <Field
                name="name"
                label="Name before the @"
                value={typed(state, 'name')}
                error={state.errors.name}
                maxLength={40}
                hint="Left empty, it is made up."
                optional
                spellcheck={false}
              />
              <Select name="expiresIn" label="Keep" value={typed(state, 'expiresIn')} options={lives} />
            </div>
            <Submit icon="plus">Create</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}

/** One mailbox: what has come, and what can be done with the address. */
export function MailboxPage({
  site,
  mailbox,
  list,
}: {
  readonly site: Site;
  readonly mailbox: MailboxRecord;
  /** Newest first. */
  readonly list: Paged<Pick<MessageRecord, 'messageId' | 'from' | 'subject' | 'date'>>;
}) {
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
              ? 'Nothing has come yet. New mail shows up here by itself.'
              : `There is nothing here, and nothing comes while the mailbox is ${mailbox.status.toLowerCase()}.`}
          </p>
        ) : (
          <ul class="rows">
            {list.items.map((message) => (
              <li key={message.messageId}>
                <span class="what">
                  <a href={`${path}/message?id=${encodeURIComponent(message.messageId)}`} dir="auto">
                    {message.subject || 'Without a subject'}
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
      <Card title="The address">
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
                Open again
              </Submit>
            )}
          </div>
        </Form>
        <Ask
          action={path}
          value="empty"
          label="Delete all messages"
          lost="Every message and its files are gone for good. The address stays."
          sure="Yes, delete all messages"
        />
        <Ask
          action={path}
          value="delete"
          label="Delete the mailbox"
          lost={`All its messages are gone for good, and nobody, you included, can have ${mailbox.email} again. To take no mail for a while, close it instead.`}
          sure="Yes, delete the mailbox"
        />
      </Card>
    </Page>
  );
}

function Status({ status }: { readonly status: MailboxRecord['status'] }) {
  return <Badge look={status === 'OPEN' ? 'good' : 'warn'}>{status.toLowerCase()}</Badge>;
}
