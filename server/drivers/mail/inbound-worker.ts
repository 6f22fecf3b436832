import { z } from 'zod';
import { InboundRefused } from '../../../routers/base/ports/mail/mail.js';
import { sameSecret } from '../secrets/same-secret.js';
import type { InboundDriver, InboundProvider } from './provider.js';

/** Mail workers and scripts, which a token in the header authenticates. */
const workerForm = (token: string | null): InboundDriver => {
  const admit = (secret: string | null): void => {
    if (token === null || secret === null || !sameSecret(secret, token))
      throw new InboundRefused('forged', 'The token is missing or wrong');
  };
  return {
    takes: (secret) => secret !== null,
    admit,
    stores: false,
    prove(_form, secret) {
      admit(secret);
      return { token: null, late: false };
    },
  };
};

const variables = { EMAIL_INBOUND_TOKEN: z.string().optional() };

/** Mail workers. */
export const workerMail: InboundProvider<typeof variables> = {
  variables,
  open: ({ EMAIL_INBOUND_TOKEN: token = null }) => workerForm(token),
};
