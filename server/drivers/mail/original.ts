import { PassThrough, type Readable } from 'node:stream';
import type { WriteMail } from '../../../routers/ports/mail-tools.js';

/** Headers that the message gets anew, because they are about its form. */
const OF_THE_FORM = /^(?:content-[\w-]+|mime-version)$/i;

/** Writes a mail that came in fields as a message. Nothing in it is interpreted as a path or an address. */
export const writeMail: WriteMail = (mail, attachments) => {
  const message = new PassThrough();
  compose(mail, attachments).then(
    (source) => {
      source.once('error', (error) => message.destroy(error));
      source.pipe(message);
    },
    (error: Error) => message.destroy(error),
  );
  return message;
};

async function compose(...[mail, attachments]: Parameters<WriteMail>): Promise<Readable> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const headers = Object.entries(mail.headers)
    .filter(([name]) => !OF_THE_FORM.test(name) && /^[!-9;-~]+$/.test(name))
    .flatMap(([key, values]) => values.split('\n').map((value) => ({ key, value })));
  const named = new Set(headers.map(({ key }) => key.toLowerCase()));
  const unless = <T>(name: string, value: T): T | undefined => (named.has(name) ? undefined : value);
  const composer = new MailComposer({
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
    attachments: attachments.map(({ filename, contentType, contentId, disposition, open }) => ({
      filename,
      contentType,
      content: open(),
      ...(contentId === null ? {} : { cid: contentId }),
      contentDisposition: disposition ?? 'attachment',
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const message = composer.compile();
  return message.createReadStream();
}
