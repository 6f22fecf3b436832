import { readableSize } from '../../../routers/embed.js';
import { displayName } from '../../../routers/image/names.js';
import { mailboxPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Facts, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import { FOREIGN_SANDBOX } from '../policy.js';
import type { MessageRecord } from '../records.js';

/** One message. Its sanitised HTML is shown in a frame that runs no scripts and loads nothing. */
export function MessagePage({
  site,
  mailbox,
  message,
  text,
  htmlUrl,
}: PageProps<{
  readonly mailbox: string;
  readonly message: MessageRecord;
  /** The text of the message without formatting. */
  readonly text: string;
  /** Address of the sanitised HTML; null if the message has none. */
  readonly htmlUrl: string | null;
}>) {
  const path = mailboxPath(mailbox);
  return (
    <Page site={site} title={message.subject || '(no subject)'}>
      <Heading title={message.subject || '(no subject)'}>
        <LinkButton href={path} icon="left">
          {mailbox}
        </LinkButton>
      </Heading>
      <Card>
        <Facts
          of={[
            [
              'From',
              <span key="from" dir="auto">
                {message.from}
              </span>,
            ],
            [
              'To',
              <span key="to" dir="auto">
                {message.to}
              </span>,
            ],
            ['Date', <Time key="date" at={message.date} />],
          ]}
        />
      </Card>
      {htmlUrl && (
        <Card title="Formatted" hint="Remote images are not loaded. Links open in a new tab.">
          <iframe
            class="message"
            src={htmlUrl}
            sandbox={FOREIGN_SANDBOX}
            title="Formatted message"
            loading="lazy"
          />
        </Card>
      )}
      <Card title={htmlUrl ? 'Plain text' : 'Message'}>
        <pre class="letter" dir="auto">
          {text}
        </pre>
        {message.truncated && (
          <p class="hint">
            This message is long; only its beginning is shown here.{' '}
            <LinkButton
              look="quiet"
              icon="download"
              download
              href={`${path}/text?id=${encodeURIComponent(message.messageId)}`}
            >
              Download the whole text
            </LinkButton>
          </p>
        )}
      </Card>
      {message.attachments.length > 0 && (
        <Card title="Attachments">
          <ul class="rows">
            {message.attachments.map((attachment, index) => (
              <li key={`${index}-${attachment.filename}`}>
                <span class="what">
                  <Icon name="file" /> <span dir="auto">{displayName(attachment.filename) ?? 'file'}</span>
                  <br />
                  <span class="hint">
                    {attachment.contentType} · {readableSize(attachment.size)}
                  </span>
                </span>
                <LinkButton
                  look="quiet"
                  icon="download"
                  download
                  href={`${path}/attachment?id=${encodeURIComponent(message.messageId)}&n=${index}`}
                >
                  Download
                </LinkButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Ask
        action={`${path}/message?id=${encodeURIComponent(message.messageId)}`}
        value="delete"
        label="Delete the message"
        lost="This permanently deletes the message and its attachments."
        sure="Yes, delete the message"
      />
    </Page>
  );
}
