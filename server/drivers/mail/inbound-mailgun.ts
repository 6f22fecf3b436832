import { z } from 'zod';
import { type InboundForm, InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import type { InboundDriver, InboundProvider } from './provider.js';
import { checkMailgunSignature } from './signature.js';

/** The forms of Mailgun's routes, which their signature authenticates. */
const mailgunForm = (signingKey: string | null, now: () => number): InboundDriver => ({
  takes: (secret) => secret === null,
  admit() {
    if (signingKey === null) throw new InboundRefused('forged', 'The signature is missing or wrong');
  },
  stores: true,
  prove(form) {
    const token = field(form, 'token');
    const signed = { timestamp: field(form, 'timestamp'), token, signature: field(form, 'signature') };
    return { token, ...checkMailgunSignature(signed, signingKey, now()) };
  },
});

function field({ fields }: InboundForm, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}

const variables = { MAILGUN_SIGNING_KEY: z.string().optional() };

/** Routes of Mailgun. */
export const mailgunRoute: InboundProvider<typeof variables> = {
  variables,
  open: ({ MAILGUN_SIGNING_KEY: key = null }, now) => mailgunForm(key, now),
};
