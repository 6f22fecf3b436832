import { z } from 'zod';
import {
  type InboundAttachment,
  type InboundMail,
  type InboundPart,
  InboundRefused,
} from '../../../routers/ports/mail.js';
import { headerOf, normalise } from './normalise.js';
import type { InboundDriver, InboundProvider } from './provider.js';
import { checkMailgunSignature } from './signature.js';

/** The fields of a form; repeated fields have several values. */
type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** Attachments stored at the provider, as listed in a notification or a stored message. */
export const storedAttachments = z
  .array(
    z.object({
      url: z.url(),
      name: z.string().default(''),
      'content-type': z.string().default(''),
      size: z.number().int().nonnegative().nullable().default(null),
    }),
  )
  .transform((list) =>
    list.map(
      (entry): InboundAttachment => ({
        filename: entry.name,
        contentType: entry['content-type'],
        size: entry.size,
        content: { kind: 'stored', url: entry.url },
      }),
    ),
  );

/** `message-headers`: names and values in the order received. */
export const headerPairs = z.array(z.tuple([z.string(), z.string()]));

/** The form of a Mailgun route, which its signature authenticates. */
const mailgunForm = (signingKey: string | null, now: () => number): InboundDriver => ({
  takes: (secret) => secret === null,
  admit() {
    if (signingKey === null) throw new InboundRefused('forged', 'The signature is missing or wrong');
  },
  read({ fields, parts }) {
    const texts = textFields(fields);
    const token = field(texts, 'token');
    const signed = { timestamp: field(texts, 'timestamp'), token, signature: field(texts, 'signature') };
    checkMailgunSignature(signed, signingKey, now());
    return { mail: readMailgunForm(texts, parts), token };
  },
});

/** Fields with text; values that a form cannot contain are dropped. */
function textFields(fields: Readonly<Record<string, unknown>>): FormFields {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, string | string[]][] => {
      if (isText(value)) return [[name, value]];
      return Array.isArray(value) && value.every(isText) ? [[name, value]] : [];
    }),
  );
}

/**
 * Reads the mail from the fields of a Mailgun route: forwarded (files as parts) or stored with a notification (files
 * as URLs). Invalid JSON fields count as absent, because a damaged mail is still a mail. Throws `InboundRefused` if
 * there is no recipient.
 */
function readMailgunForm(fields: FormFields, parts: readonly InboundPart[]): InboundMail {
  const headers = readJson(headerPairs, field(fields, 'message-headers')) ?? [];
  const header = (name: string) => headerOf(headers, name) ?? field(fields, name);
  return normalise({
    messageId: field(fields, 'Message-Id') || header('Message-Id'),
    recipients: [field(fields, 'recipient') || header('To')],
    sender: field(fields, 'sender'),
    from: field(fields, 'from') || header('From') || field(fields, 'sender'),
    to: header('To') || field(fields, 'recipient'),
    cc: header('Cc'),
    subject: field(fields, 'subject') || header('Subject'),
    date: header('Date'),
    text: field(fields, 'body-plain') || field(fields, 'stripped-text'),
    html: field(fields, 'body-html') || field(fields, 'stripped-html'),
    headers,
    attachments: [
      ...parts.map(fromPart),
      ...(readJson(storedAttachments, field(fields, 'attachments')) ?? []),
    ],
  });
}

/** The value of a field, or all values if it is repeated; empty if absent. */
function field(fields: FormFields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}

function fromPart(part: InboundPart): InboundAttachment {
  const { field: name, filename, contentType, size } = part;
  return { filename, contentType, size, content: { kind: 'part', field: name } };
}

function readJson<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

const variables = { MAILGUN_SIGNING_KEY: z.string().optional() };

/** Routes of Mailgun. */
export const mailgunRoute: InboundProvider<typeof variables> = {
  variables,
  open: ({ MAILGUN_SIGNING_KEY: key = null }, now) => mailgunForm(key, now),
};
