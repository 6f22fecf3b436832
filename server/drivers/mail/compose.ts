import type { CheckedMail } from './check.js';

/** The fields of a checked mail for nodemailer. Texts are never interpreted as paths or URLs. */
export function nodemailerFields(mail: CheckedMail) {
  return {
    from: mail.from,
    to: [...mail.to],
    subject: mail.subject,
    text: mail.text,
    envelope: { from: mail.from.address, to: [...mail.recipients] },
    ...reportsOf(mail),
    ...(mail.messageId === null ? {} : { messageId: `<${mail.messageId}>` }),
    ...(mail.date === null ? {} : { date: mail.date }),
    ...(mail.html === null ? {} : { html: mail.html }),
    headers: { ...mail.headers },
    attachments: mail.attachments.map(({ filename, contentType, content, contentId }) => ({
      filename,
      contentType,
      content,
      ...(contentId === null ? {} : { cid: contentId }),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What reports name the mail by, and that they need not contain all of it (RFC 3461). */
const reportsOf = ({ envelopeId }: CheckedMail) =>
  envelopeId === null ? {} : { dsn: { envid: envelopeId, ret: 'HDRS' } };

/** The mail as RFC 5322 bytes with CRLF line endings. */
export async function compose(mail: CheckedMail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await composer.sendMail(nodemailerFields(mail));
  if (!Buffer.isBuffer(message)) throw new Error('nodemailer gave no buffer');
  return message;
}
