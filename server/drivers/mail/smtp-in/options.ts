import { isIP } from 'node:net';
import { z } from 'zod';
import {
  flag,
  hostName,
  integer,
  list,
  type Requirement,
  readableBy,
  type ValuesOf,
} from '../../../shared/variables.js';
import { oneOf } from './trusted.js';

/** `host:port`, `[address]:port`, or a port on all addresses. */
const listenOn = z.string().transform((text, ctx) => {
  const [, inBrackets, plain, digits] = /^(?:\[([\da-fA-F:.%\w]+)\]:|([\w.-]*):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits !== undefined && port <= 65_535) return { host: inBrackets ?? (plain || undefined), port };
  ctx.addIssue({ code: 'custom', message: 'must be host:port, like 0.0.0.0:25' });
  return z.NEVER;
});

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
const dnsServer = z.string().refine((text) => {
  const [, bracketed] = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  return isIP(bracketed ?? text) !== 0 || isIP(text.replace(/:\d{1,5}$/, '')) === 4;
}, 'must be addresses of DNS servers, like 192.0.2.53 or 127.0.0.1:5353');

/** The variables of the SMTP receiver. */
export const smtpInVariables = {
  SMTP_LISTEN: listenOn.optional(),
  MAIL_DOMAINS: list.pipe(z.array(hostName).min(1, 'must name a domain')).optional(),
  SMTP_TLS_CERT: z.string().optional(),
  SMTP_TLS_KEY: z.string().optional(),
  SMTP_TRUSTED: list.check(readableBy(oneOf)).optional(),
  SMTP_MAX_BYTES: integer(1024, 512 * 1024 * 1024).default(25 * 1024 * 1024),
  MAIL_AUTHENTICATION: flag.default(true),
  MAIL_RESOLVERS: list.pipe(z.array(dnsServer).min(1, 'must name a DNS server')).optional(),
};

/** Variables that require others. */
export const smtpInRequirements: readonly Requirement[] = [
  ['SMTP_TLS_CERT', ['SMTP_TLS_KEY']],
  ['SMTP_TLS_KEY', ['SMTP_TLS_CERT']],
];

/** How mail is received by SMTP; null if it is not. */
export type SmtpInOptions = {
  readonly host: string | undefined;
  readonly port: number;
  /** Paths of PEM files; null without encryption. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly maxBytes: number;
  /** Addresses and networks of relays without limits of their own. */
  readonly trusted: readonly string[];
} | null;

/** Reads the options. */
export const smtpInOptions = (values: ValuesOf<typeof smtpInVariables>): SmtpInOptions =>
  values.SMTP_LISTEN === undefined
    ? null
    : {
        ...values.SMTP_LISTEN,
        tls:
          values.SMTP_TLS_CERT === undefined || values.SMTP_TLS_KEY === undefined
            ? null
            : { cert: values.SMTP_TLS_CERT, key: values.SMTP_TLS_KEY },
        maxBytes: values.SMTP_MAX_BYTES,
        trusted: values.SMTP_TRUSTED ?? [],
      };
