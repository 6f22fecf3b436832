import { z } from 'zod';
import { type InboundAttachment, type InboundMail, InboundRefused } from '../../../routers/ports/mail.js';
import { sameSecret } from '../secrets/same-secret.js';
import { headerOf, normalise } from './normalise.js';
import type { InboundDriver, InboundProvider } from './provider.js';

const text = z.string().nullish();
const person = z.union([
  z.string(),
  z
    .object({ name: text, address: text, email: text })
    .transform(({ name, address, email }) => written(name ?? '', address ?? email ?? '')),
]);
const people = z.union([person, z.array(person).transform((list) => list.join(', '))]).nullish();
const headers = z.union([
  z.array(z.tuple([z.string(), z.string()])),
  z
    .array(z.object({ key: text, name: text, value: z.string() }))
    .transform((list) => list.map(({ key, name, value }) => [key ?? name ?? '', value] as const)),
  z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .transform((record) =>
      Object.entries(record).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const)),
    ),
]);
const attachment = z
  .object({ filename: text, contentType: text, mimeType: text, contentBase64: text, content: text })
  .transform((entry): InboundAttachment => {
    const bytes = Buffer.from(entry.contentBase64 ?? entry.content ?? '', 'base64');
    return {
      filename: entry.filename ?? '',
      contentType: entry.contentType ?? entry.mimeType ?? '',
      size: bytes.length,
      content: { kind: 'bytes', bytes },
    };
  });

/** The JSON of mail workers. Old and new parsers use different names, so each value has several possible fields. */
const mailBody = z.object({
  messageId: text,
  'message-id': text,
  'Message-Id': text,
  recipient: people,
  recipients: people,
  envelope: z.object({ from: people, to: people }).nullish(),
  sender: people,
  from: people,
  to: people,
  cc: people,
  subject: text,
  date: z.union([z.string(), z.number().transform((time) => new Date(time).toUTCString())]).nullish(),
  text,
  content: text,
  'body-plain': text,
  html: z.union([z.string(), z.literal(false)]).nullish(),
  'body-html': text,
  headers: headers.nullish(),
  attachments: z.array(attachment).nullish(),
});

/** The JSON of mail workers, which a token in the header authenticates. */
const workerForm = (token: string | null): InboundDriver => {
  const admit = (secret: string | null): void => {
    if (token === null || secret === null || !sameSecret(secret, token))
      throw new InboundRefused('forged', 'The token is missing or wrong');
  };
  return {
    takes: (secret) => secret !== null,
    admit,
    read({ fields }, secret) {
      admit(secret);
      return { mail: readWorkerMail(fields), token: null };
    },
  };
};

/** Reads the mail from the JSON of a mail worker. Throws `InboundRefused` if it is not valid. */
function readWorkerMail(body: unknown): InboundMail {
  const parsed = mailBody.safeParse(body);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join('.') ?? '';
    throw new InboundRefused('malformed', `The mail cannot be read${place === '' ? '' : ` at ${place}`}`);
  }
  const mail = parsed.data;
  const pairs = mail.headers ?? [];
  const header = (name: string) => headerOf(pairs, name) ?? '';
  const recipients = mail.envelope?.to ?? mail.recipients ?? mail.recipient ?? mail.to ?? '';
  const sender = mail.envelope?.from ?? mail.sender ?? mail.from ?? '';
  return normalise({
    messageId: mail.messageId ?? mail['message-id'] ?? mail['Message-Id'] ?? header('message-id'),
    recipients: [recipients],
    sender,
    // A mail without a sender header shows the envelope sender.
    from: mail.from || header('from') || sender,
    to: mail.to || header('to') || recipients,
    cc: mail.cc ?? header('cc'),
    subject: mail.subject ?? header('subject'),
    date: mail.date ?? header('date'),
    text: mail.text ?? mail.content ?? mail['body-plain'] ?? '',
    html: mail.html || mail['body-html'] || '',
    headers: pairs,
    attachments: mail.attachments ?? [],
  });
}

function written(name: string, address: string): string {
  return name === '' ? address : `"${name.replace(/["\\]/g, '')}" <${address}>`;
}

const variables = { EMAIL_INBOUND_TOKEN: z.string().optional() };

/** Mail workers. */
export const workerMail: InboundProvider<typeof variables> = {
  variables,
  open: ({ EMAIL_INBOUND_TOKEN: token = null }) => workerForm(token),
};
