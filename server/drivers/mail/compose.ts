import type { CheckedMail } from './check.js';

/** The fields of a checked mail for nodemailer. Texts are never interpreted as paths or URLs. */
export function nodemailerFields(mail: CheckedMail) {
  return {
    from: mail.from,
    to: [...mail.to],
    subject: mail.subject,
    text: mail.text,
    ...(mail.html === null ? {} : { html: mail.html }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The mail as RFC 5322 bytes with CRLF line endings. */
export async function compose(mail: CheckedMail): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const { message } = await composer.sendMail(nodemailerFields(mail));
  if (!Buffer.isBuffer(message)) throw new Error('nodemailer gave no buffer');
  return message;
}
