import type { z } from 'zod';
import type { Log } from '../../../routers/base/ports/log.js';
import type { InboundForm, MailTransport, ReceivedMail } from '../../../routers/base/ports/mail/mail.js';
import type { ValuesOf } from '../../shared/variables.js';

/** How long sending may take as a whole, in milliseconds: the largest mail at 60 kB a second. */
export const SENDING_MS = 10 * 60_000;

/** What every transport gets. */
export interface Sending {
  /** The sender of mails that name none. */
  readonly from: string;
  readonly dataDir: string;
  readonly log: Log;
}

/** A way to send mail. */
export interface TransportProvider<Variables extends z.ZodRawShape> {
  /** The variables that it reads. */
  readonly variables: Variables;
  /** Those that must be set if `MAIL_TRANSPORT` names it. */
  readonly requires: readonly (keyof Variables & string)[];
  open(values: ValuesOf<Variables>, sending: Sending): MailTransport;
}

/** A form of inbound mail: that of a provider or of a program. It is authenticated before it is read. */
export interface InboundDriver {
  /** Whether a request is in this form: by the secret in its header and, once it is here, by its body. */
  takes(secret: string | null, form: InboundForm | null): boolean;
  /** Throws `InboundRefused` if the secret is wrong, or the form is not configured. */
  admit(secret: string | null): void;
  /** Whether it stores the attachments of mails, and its forms name their addresses. */
  readonly stores: boolean;
  /** Throws `InboundRefused` for a form that is not genuine; returns the token that it may be used with once. */
  prove(form: InboundForm, secret: string | null): Pick<ReceivedMail, 'token' | 'late'>;
}

/** A sender of inbound mail. */
export interface InboundProvider<Variables extends z.ZodRawShape> {
  /** The variables that it reads. */
  readonly variables: Variables;
  open(values: ValuesOf<Variables>, now: () => number): InboundDriver;
}
