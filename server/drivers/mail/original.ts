import { PassThrough, type Readable } from 'node:stream';
import type MailComposer from 'nodemailer/lib/mail-composer';
import type { InboundMail } from '../../../routers/base/ports/mail/mail.js';
import type { WriteMail } from '../../../routers/base/ports/mail/mail-services.js';

/** Headers that the message gets anew, because they are about its form. */
const OF_THE_FORM = /^(?:content-[\w-]+|mime-version)$/i;

type File = Parameters<WriteMail>[1][number] & { readonly content: Readable };

/** Writes a mail that came in fields as a message. Nothing in it is interpreted as a path or an address. */
export const writeMail: WriteMail = (mail, attachments) => {
  const message = new PassThrough();
  begin().catch((error: Error) => message.destroy(error));
  return message;

  async function begin(): Promise<void> {
    const { default: Composer } = await import('nodemailer/lib/mail-composer');
    // Whoever wanted it may have left.
    if (message.destroyed) return;
    const files = attachments.map((attachment) => ({ ...attachment, content: attachment.open() }));
    message.once('close', () => {
      for (const { content } of files) content.destroy();
    });
    const source = compose(Composer, mail, files);
    source.once('error', (error) => message.destroy(error));
    source.pipe(message);
  }
};

function compose(Composer: typeof MailComposer, mail: InboundMail, files: readonly File[]): Readable {
  const headers = Object.entries(mail.headers)
    .filter(([name]) => !OF_THE_FORM.test(name) && /^[!-9;-~]+$/.test(name))
    .flatMap(([key, values]) => values.split('\n').map((value) => ({ key, value })));
  const named = new Set(headers.map(({ key }) => key.toLowerCase()));
  const unless = <T>(name: string, value: T): T | undefined => (named.has(name) ? undefined : value);
  const composer = new Composer({
    headers,
    from: unless('from', mail.from),
    to: unless('to', [...mail.to]),
    cc: unless('cc', [...mail.cc]),
    replyTo: unless('reply-to', [...mail.replyTo]),
    subject: unless('subject', mail.subject),
    messageId: unless('message-id', `<${mail.messageId}>`),
    date: unless('date', mail.date === null ? undefined : new Date(mail.date)),
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    attachments: files.map(({ filename, contentType, contentId, disposition, content }) => ({
      filename,
      contentType,
      content,
      ...(contentId === null ? {} : { cid: contentId }),
      contentDisposition: disposition ?? 'attachment',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().createReadStream();
}
