import { msg, t, tc, translateMessage } from '../../../routers/base/language/i18n.js';
import { displayName } from '../../../routers/core/items/file-names.js';
import { listPath, mailboxPath, withQuery } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { type Row, Rows } from '../components/list/rows.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { MessageRecord, SentRecord } from '../records.js';
import { rich } from '../rich.js';
import { FOREIGN_SANDBOX } from '../serving/policy.js';
import { Panes } from './inbox.js';
import { Letter } from './letter.js';
import { ReplyCard } from './reply-card.js';
import { Recipients, SentSubject } from './sent-page.js';
import type { Inbox } from './shown-inbox.js';

const WITHHELD_WORDS = {
  blocked: msg('Not kept: this file is blocked here'),
  malware: msg('Not kept: it contains malware'),
  unscanned: msg('Not kept: it could not be checked for malware'),
} as const;

type Numbered = readonly [index: number, attachment: MessageRecord['attachments'][number]];

/** One message. Its sanitised HTML is shown in a frame that runs no scripts, and loads pictures only if asked to. */
export function MessagePage({
  site,
  inbox,
  message,
  text,
  htmlUrl,
  pictures,
  isPlain,
  answers,
  previews,
  sent,
  state,
}: FormPageProps<{
  readonly inbox: Inbox;
  readonly message: MessageRecord;
  /** The text of the message without formatting. */
  readonly text: string;
  /** Address of the sanitised HTML; null if the message has none. */
  readonly htmlUrl: string | null;
  /** Whether it shows the pictures that it names elsewhere. */
  readonly pictures: boolean;
  /** Whether the text is wanted although there is HTML. */
  readonly isPlain: boolean;
  /** Whether the viewer may answer it. */
  readonly answers: boolean;
  /** Pictures among the attachments, by their index. */
  readonly previews: ReadonlyMap<number, string>;
  /** The newest mails of the viewer that answer or send on this one, or that it reports about. */
  readonly sent: readonly SentRecord[];
}>) {
  const { filter, list } = inbox;
  const mailbox = inbox.mailbox.email;
  const path = mailboxPath(mailbox);
  const here = listPath(`${path}/message`, { id: message.messageId, ...filter, page: list.page });
  const frame = isPlain ? null : htmlUrl;
  const rowOf = ([index, { filename, contentType, size, withheld }]: Numbered): Row => {
    const name = displayName(filename) ?? t('file');
    return {
      name,
      mark: { icon: 'file', picture: previews.get(index) ?? null },
      line: [
        withheld === null ? null : translateMessage(WITHHELD_WORDS[withheld]),
        fileSize(size),
        contentType,
      ],
      actions: withheld === null && (
        <div class="stays">
          <LinkButton
            look="quiet"
            icon="download"
            download
            href={`${path}/attachment?id=${encodeURIComponent(message.messageId)}&n=${index}`}
          >
            {t('Download')}
          </LinkButton>
        </div>
      ),
    };
  };
  return (
    <Page site={site} title={message.subject || t('(no subject)')} width="wide">
      <Panes inbox={inbox} open={message.messageId}>
        <p class="back">
          <LinkButton look="quiet" href={listPath(path, { ...filter, page: list.page })} icon="left">
            {mailbox}
          </LinkButton>
        </p>
        <Heading title={message.subject || t('(no subject)')} />
        <Card>
          <Facts
            of={[
              [
                tc('mail', 'From'),
                <span key="from" dir="auto">
                  {message.from}
                </span>,
              ],
              [
                tc('mail', 'To'),
                <span key="to" dir="auto">
                  {message.to}
                </span>,
              ],
              [t('Date'), <Time key="date" at={message.date} />],
            ]}
          />
          {message.codes.slice(0, 1).map((code) => (
            <p class="one-time" key={code}>
              {rich('Code {code}', { code: <code>{code}</code> })}{' '}
              <CopyButton text={code}>{t('Copy')}</CopyButton>
            </p>
          ))}
          {htmlUrl && (
            <nav class="forms" aria-label={t('Form of the text')}>
              <a href={here} aria-current={isPlain ? undefined : 'page'}>
                {t('Formatted')}
              </a>
              <a href={withQuery(here, { as: 'plain' })} aria-current={isPlain ? 'page' : undefined}>
                {t('Plain text')}
              </a>
            </nav>
          )}
          {frame === null ? (
            <Letter text={text} />
          ) : (
            <>
              <iframe
                class="message"
                src={frame}
                sandbox={FOREIGN_SANDBOX}
                title={t('Formatted message')}
                loading="lazy"
              />
              <p class="hint">
                {message.blockedContent > 0 && !pictures ? (
                  <>
                    {t(
                      'Remote pictures are not loaded, because they tell the sender who reads it. Links open in a new tab.',
                    )}{' '}
                    <a href={withQuery(here, { pictures: 'once' })}>{t('Show them this time')}</a>
                  </>
                ) : (
                  t('Links open in a new tab.')
                )}
              </p>
            </>
          )}
          {message.truncated && (
            <p class="hint">
              {t('This message is long; only its beginning is shown here.')}{' '}
              <LinkButton
                look="quiet"
                icon="download"
                download
                href={`${path}/text?id=${encodeURIComponent(message.messageId)}`}
              >
                {t('Download the whole text')}
              </LinkButton>
            </p>
          )}
        </Card>
        {message.attachments.length > 0 && (
          <>
            <h2>{t('Attachments')}</h2>
            <Card>
              <Rows rows={[...message.attachments.entries()]} rowKey={([index]) => index} row={rowOf} />
            </Card>
          </>
        )}
        {sent.length > 0 && (
          <Card title={t('Sent mail')}>
            <ul class="rows">
              {sent.map((one) => (
                <li key={one.messageId}>
                  <span class="what">
                    <SentSubject sent={one} />
                    <Recipients sent={one} />
                  </span>
                  <span class="hint">
                    <Time at={one.sentAt} />
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {answers && <ReplyCard action={here} mailbox={mailbox} state={state} />}
        <div class="actions">
          <Form action={here}>
            <Submit look="plain" name="action" value="unread">
              {t('Mark as unread')}
            </Submit>
          </Form>
          {message.originalSize !== null && (
            <LinkButton
              look="quiet"
              icon="download"
              download
              href={`/v1/email/${encodeURIComponent(mailbox)}/messages/${encodeURIComponent(message.messageId)}/raw`}
            >
              {t('Original message ({originalSize})', { originalSize: fileSize(message.originalSize) })}
            </LinkButton>
          )}
        </div>
        <Ask
          action={here}
          value="delete"
          label={t('Delete the message')}
          lost={t('This permanently deletes the message and its attachments.')}
          sure={t('Yes, delete the message')}
        />
      </Panes>
    </Page>
  );
}
