import { resolve } from 'node:path';
import { z } from 'zod';
import { newPasswordInput, ownerEmailInput, usernameInput } from '../../../routers/auth/fields.js';
import { byKind, KINDS, type Kind } from '../../../routers/kinds.js';
import { readSender } from '../../drivers/mail/check.js';
import { parseAllowList } from '../../drivers/outbound/addresses.js';
import {
  bareOrigin,
  domain,
  flag,
  hostName,
  integer,
  keyPrefix,
  list,
  origin,
  readableBy,
  readOrigin,
  word,
} from '../../shared/variables.js';
import { mailConfig } from './mail.js';

/** The variable with the short domain of a kind, such as `SHORT_PASTE_URL`. */
const shortUrlName = (kind: Kind) => `SHORT_${kind.toUpperCase()}_URL` as `SHORT_${Uppercase<Kind>}_URL`;
const shortUrls = Object.fromEntries(KINDS.map((kind) => [shortUrlName(kind), origin.optional()])) as Record<
  ReturnType<typeof shortUrlName>,
  z.ZodOptional<typeof origin>
>;

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be an address or host name of this machine, or 0.0.0.0 for all addresses')
    .default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8012),
  BASE_URL: bareOrigin.optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address; leave it unset for SQLite')
    .refine(
      (address) =>
        !/^postgres(ql)?:\/\//.test(address) ||
        (URL.canParse(address) && !new URL(address).host.includes(',')),
      'is not a valid address. Encode special characters of the user and the password (# is %23, @ is %40, / is %2F), name one host, and write a socket as postgres://user@localhost/database?host=/run/postgresql',
    )
    .optional(),
  S3_ENDPOINT: origin.optional(),
  S3_PUBLIC_ENDPOINT: origin.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),
  S3_REDIRECT: flag.default(false),
  S3_ADOPT_PREFIX: keyPrefix.optional(),
  MAIL_TRANSPORT: word('outbox', 'smtp', 'mailgun').default('outbox'),
  MAILGUN_API_KEY: z.string().optional(),
  MAILGUN_DOMAIN: hostName.optional(),
  MAILGUN_URL: origin.default('https://api.mailgun.net'),
  MAILGUN_SIGNING_KEY: z.string().optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
    .optional(),
  MAIL_FROM: z.string().check(readableBy(readSender)).optional(),
  EMAIL_INBOUND_TOKEN: z.string().optional(),
  CHATAPP_CLIENT_ID: z.string().optional(),
  CHATAPP_CLIENT_SECRET: z.string().optional(),
  CHATAPP_API_URL: origin.default('https://discord.com/api'),
  MESSENGER_BOT_TOKEN: z.string().optional(),
  MESSENGER_BOT_NAME: z.string().optional(),
  MESSENGER_WEBHOOK: flag.default(false),
  MESSENGER_API_URL: origin.default('https://api.telegram.org'),
  CORS_ORIGINS: list
    .check(readableBy((origins) => origins.map(readOrigin)))
    .transform((origins) => origins.map(readOrigin))
    .optional(),
  TRUST_PROXY: flag.default(false),
  COOKIE_DOMAIN: domain.optional(),
  COOKIE_SAMESITE: word('lax', 'strict', 'none').default('lax'),
  COOKIE_SECURE: flag.optional(),
  HSTS_SUBDOMAINS: flag.default(false),
  FRONTEND_URL: origin.optional(),
  ...shortUrls,
  REGISTRATION: word('invite', 'closed', 'open').default('invite'),
  MAX_UPLOAD_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(512 * 1024 * 1024),
  MAX_RENDITION_BYTES: integer(0, Number.MAX_SAFE_INTEGER).default(10 * 1024 ** 3),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]\d{0,2})$/, 'must be a number of processes or "auto"')
    .default('1'),
  VISIT_ADDRESSES: word('full', 'truncated', 'none').default('full'),
  VISIT_LOG_DAYS: integer(0, 36_500).default(400),
  LOG_LEVEL: word('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  METRICS_TOKEN: z.string().optional(),
  SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  OUTBOUND_ALLOW: list.check(readableBy(parseAllowList)).default([]),
  RATE_LIMIT: flag.default(true),
  OWNER_USERNAME: usernameInput.optional(),
  OWNER_EMAIL: ownerEmailInput.optional(),
  OWNER_PASSWORD: newPasswordInput.optional(),
  OWNER_API_KEY: z
    .string()
    .trim()
    .regex(
      /^[!-~]{8,}$/,
      'must have at least 8 characters, without spaces (create a good one with openssl rand -hex 32)',
    )
    .optional(),
});

/** Variables that require others. */
const groups: readonly (readonly [keyof Environment, readonly (keyof Environment)[]])[] = [
  ['S3_ENDPOINT', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ['S3_BUCKET', ['S3_ENDPOINT']],
  ['S3_PUBLIC_ENDPOINT', ['S3_ENDPOINT']],
  ['S3_ADOPT_PREFIX', ['S3_ENDPOINT']],
  ['S3_ACCESS_KEY_ID', ['S3_ENDPOINT']],
  ['S3_SECRET_ACCESS_KEY', ['S3_ENDPOINT']],
  ['OWNER_USERNAME', ['OWNER_EMAIL', 'OWNER_PASSWORD']],
  ['OWNER_EMAIL', ['OWNER_USERNAME', 'OWNER_PASSWORD']],
  ['OWNER_PASSWORD', ['OWNER_USERNAME', 'OWNER_EMAIL']],
  ['CHATAPP_CLIENT_ID', ['CHATAPP_CLIENT_SECRET']],
  ['CHATAPP_CLIENT_SECRET', ['CHATAPP_CLIENT_ID']],
];

/** The names of all variables. */
export const VARIABLES = Object.keys(environment.shape);

/** The parsed variables, before they are combined into the configuration. */
export type Environment = z.output<typeof environment>;

/** The configuration. Read once at start, never changed. */
export type Config = ReturnType<typeof readConfig>;

/** The process cannot start; `message` names every wrong variable, one per line. */
export class ConfigError extends Error {}

/** The error for wrong variables, each as `NAME: what is wrong`. */
export const wrongVariables = (problems: readonly string[]): ConfigError =>
  new ConfigError(`Holdall cannot start. Fix these settings:\n  ${problems.join('\n  ')}`);

/**
 * Reads the environment (contract §1). An empty value counts as unset.
 * Throws one `ConfigError` that names every wrong variable.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environment.safeParse(given);
  const wrong = parsed.error?.issues ?? [];
  const problems = [...wrong.map((issue) => `${issue.path.join('.')}: ${issue.message}`), ...missing(given)];
  if (!parsed.success || problems.length > 0) {
    throw wrongVariables(problems);
  }
  const data = parsed.data;
  const baseUrl = data.BASE_URL ?? `http://localhost:${data.PORT}`;
  const base = new URL(baseUrl);
  // On the main host, `/{id}` serves nothing; links there use `/r/{id}`.
  const leadsNowhere = ({ host, pathname }: URL) => host === base.host && pathname === '/';
  const shortUrl = (given?: string) => (given === undefined || leadsNowhere(new URL(given)) ? null : given);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(base.hostname);
  return {
    host: data.HOST,
    port: data.PORT,
    /** Scheme and host of every link that Holdall creates; no trailing slash. */
    origin: base.origin,
    loopback,
    dataDir: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL ?? null,
    s3:
      data.S3_ENDPOINT === undefined
        ? null
        : {
            endpoint: data.S3_ENDPOINT,
            publicEndpoint: data.S3_PUBLIC_ENDPOINT ?? null,
            region: data.S3_REGION,
            bucket: data.S3_BUCKET ?? '',
            accessKeyId: data.S3_ACCESS_KEY_ID ?? '',
            secretAccessKey: data.S3_SECRET_ACCESS_KEY ?? '',
            forcePathStyle: data.S3_FORCE_PATH_STYLE,
            redirect: data.S3_REDIRECT,
            adoptPrefix: data.S3_ADOPT_PREFIX ?? null,
          },
    mail: mailConfig(data, base.hostname),
    chatapp: {
      clientId: data.CHATAPP_CLIENT_ID ?? null,
      clientSecret: data.CHATAPP_CLIENT_SECRET ?? null,
      apiUrl: data.CHATAPP_API_URL,
    },
    messenger: {
      botToken: data.MESSENGER_BOT_TOKEN ?? null,
      botName: data.MESSENGER_BOT_NAME ?? null,
      /** The messenger pushes messages to `/v1/telegram/webhook` instead of being polled. */
      webhook: data.MESSENGER_WEBHOOK,
      apiUrl: data.MESSENGER_API_URL,
    },
    corsOrigins: data.CORS_ORIGINS ?? (loopback ? ['http://localhost:3000', 'http://localhost:3006'] : []),
    trustProxy: data.TRUST_PROXY,
    cookies: {
      domain: data.COOKIE_DOMAIN ?? null,
      sameSite: data.COOKIE_SAMESITE,
      secure: data.COOKIE_SECURE ?? base.protocol === 'https:',
    },
    hstsSubdomains: data.HSTS_SUBDOMAINS,
    frontendUrl: data.FRONTEND_URL ?? null,
    shortUrls: byKind((kind) => shortUrl(data[shortUrlName(kind)])),
    registration: data.REGISTRATION,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    /** How much the renditions of all images may take together; null for any amount. */
    maxRenditionBytes: data.MAX_RENDITION_BYTES === 0 ? null : data.MAX_RENDITION_BYTES,
    workers: data.WORKERS,
    /** Which part of IP addresses the visit logs of short links store. */
    visitAddresses: data.VISIT_ADDRESSES,
    /** How long visit logs are kept; null for forever. */
    visitLogDays: data.VISIT_LOG_DAYS === 0 ? null : data.VISIT_LOG_DAYS,
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN ?? null,
    secretKey: data.SECRET_KEY ?? null,
    outboundAllow: data.OUTBOUND_ALLOW,
    rateLimit: data.RATE_LIMIT,
    owner:
      data.OWNER_USERNAME === undefined
        ? null
        : {
            username: data.OWNER_USERNAME,
            email: data.OWNER_EMAIL ?? '',
            password: data.OWNER_PASSWORD ?? '',
            apiKey: data.OWNER_API_KEY ?? null,
          },
  };
}

/** The environment for a child process. */
export const environmentWith = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});

/** Variables that are missing but required by others. */
function missing(data: Partial<Record<keyof Environment, string>>): string[] {
  const transport = data.MAIL_TRANSPORT?.toLowerCase();
  const problems = groups.flatMap(([name, needs]) =>
    data[name] === undefined
      ? []
      : needs.filter((need) => data[need] === undefined).map((need) => `${need}: is required with ${name}`),
  );
  if (transport === 'smtp' && data.SMTP_URL === undefined) {
    problems.push('SMTP_URL: is required with MAIL_TRANSPORT=smtp');
  }
  if (transport === 'mailgun') {
    for (const name of ['MAILGUN_API_KEY', 'MAILGUN_DOMAIN'] as const) {
      if (data[name] === undefined) problems.push(`${name}: is required with MAIL_TRANSPORT=mailgun`);
    }
  }
  return [...new Set(problems)];
}
