import { z } from 'zod';
import { newPasswordInput, ownerEmailInput, usernameInput } from '../../../routers/auth/fields.js';
import { byKind, KINDS, type Kind } from '../../../routers/kinds.js';
import { chatOptions, chatRequirements, chatVariables } from '../../drivers/chat/options.js';
import { mailOptions, mailVariables, transportRequirements } from '../../drivers/mail/options.js';
import { outboundOptions, outboundVariables } from '../../drivers/outbound/options.js';
import { secretOptions, secretVariables } from '../../drivers/secrets/options.js';
import { storageOptions, storageRequirements, storageVariables } from '../../drivers/storage/options.js';
import { ConfigError } from '../../shared/config-error.js';
import {
  bareOrigin,
  domain,
  flag,
  integer,
  list,
  origin,
  type Requirement,
  readableBy,
  readOrigin,
  word,
} from '../../shared/variables.js';

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
  ...storageVariables,
  ...mailVariables,
  ...chatVariables,
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
  ...secretVariables,
  ...outboundVariables,
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
const requirements: readonly Requirement[] = [
  ...storageRequirements,
  ...chatRequirements,
  ['OWNER_USERNAME', ['OWNER_EMAIL', 'OWNER_PASSWORD']],
  ['OWNER_EMAIL', ['OWNER_USERNAME', 'OWNER_PASSWORD']],
  ['OWNER_PASSWORD', ['OWNER_USERNAME', 'OWNER_EMAIL']],
];

/** The names of all variables. */
export const VARIABLES = Object.keys(environment.shape);

/** The configuration. Read once at start, never changed. */
export type Config = ReturnType<typeof readConfig>;

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
    databaseUrl: data.DATABASE_URL ?? null,
    ...storageOptions(data),
    ...mailOptions(data, base.hostname),
    ...chatOptions(data),
    ...outboundOptions(data),
    ...secretOptions(data),
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
function missing(given: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string) => given[name] !== undefined;
  const absent = (needs: readonly string[], cause: string) =>
    needs.filter((need) => !isSet(need)).map((need) => `${need}: is required with ${cause}`);
  const transport = given.MAIL_TRANSPORT?.toLowerCase() ?? '';
  const problems = [
    ...requirements.flatMap(([name, needs]) => (isSet(name) ? absent(needs, name) : [])),
    ...absent(ofTransport(transport), `MAIL_TRANSPORT=${transport}`),
  ];
  return [...new Set(problems)];
}

const ofTransport = (name: string): readonly string[] =>
  Object.entries(transportRequirements).find(([transport]) => transport === name)?.[1] ?? [];
