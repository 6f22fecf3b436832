import { z } from 'zod';
import { DOOR_NAMES } from '../../../rest-adapter/doors/names.js';
import { KINDS, type Kind } from '../../../routers/base/kinds.js';
import { LANGUAGES } from '../../../routers/base/language/languages.js';
import { readTypeRules } from '../../../routers/base/text/media-types.js';
import { newPasswordInput, ownerEmailInput, usernameInput } from '../../../routers/core/accounts/fields.js';
import { challengeVariables } from '../../drivers/challenge/options.js';
import { chatRequirements, chatVariables } from '../../drivers/chat/options.js';
import { mailVariables, transportRequirements } from '../../drivers/mail/options.js';
import { smtpInRequirements } from '../../drivers/mail/smtp-in/options.js';
import { readingVariables } from '../../drivers/media/reading/options.js';
import { outboundVariables } from '../../drivers/outbound/options.js';
import { scannerVariables } from '../../drivers/scanner/options.js';
import { secretVariables } from '../../drivers/secrets/options.js';
import { setting } from '../../drivers/setting.js';
import { storageRequirements, storageVariables } from '../../drivers/storage/options.js';
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
import { tracingVariables } from '../tracing/options.js';

/** The variable with the short domain of a kind, such as `SHORT_PASTE_URL`. */
export const shortUrlName = (kind: Kind) =>
  `SHORT_${kind.toUpperCase()}_URL` as `SHORT_${Uppercase<Kind>}_URL`;

const shortUrls = Object.fromEntries(
  KINDS.map((kind) => [shortUrlName(kind), setting('addresses', origin.optional())]),
) as Record<ReturnType<typeof shortUrlName>, z.ZodOptional<typeof origin>>;

const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address; leave it unset for SQLite')
  .refine(
    (address) =>
      !/^postgres(ql)?:\/\//.test(address) || (URL.canParse(address) && !new URL(address).host.includes(',')),
    'is not a valid address. Encode special characters of the user and the password (# is %23, @ is %40, / is %2F), name one host, and write a socket as postgres://user@localhost/database?host=/run/postgresql',
  );

const REGISTRATIONS = ['invite', 'closed', 'open', 'approval'] as const;
const DOMAIN_RULES = ['off', 'approval', 'open'] as const;
const SIGN_IN_WAYS = ['password', 'passkey', 'oidc'] as const;
const SPOKEN = [...DOOR_NAMES, 'all', 'none'] as const;

/** What each variable may be (contract §1). */
export const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be an address or host name of this machine, or 0.0.0.0 for all addresses')
    .default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8012),
  BASE_URL: bareOrigin.optional(),
  DATABASE_URL: postgresAddress.optional(),
  DATABASE_READ_URL: postgresAddress.optional(),
  READ_LAG: integer(1, 3_600).default(10),
  POSTGRES_SUBSET: flag.default(false),
  ...readingVariables,
  ...storageVariables,
  ...mailVariables,
  ...chatVariables,
  ...challengeVariables,
  CORS_ORIGINS: setting(
    'origins',
    list
      .check(readableBy((origins) => origins.map(readOrigin)))
      .transform((origins) => origins.map(readOrigin))
      .optional(),
  ),
  TRUST_PROXY: flag.default(false),
  COOKIE_DOMAIN: domain.optional(),
  COOKIE_SAMESITE: word('lax', 'strict', 'none').default('lax'),
  COOKIE_SECURE: flag.optional(),
  HSTS_SUBDOMAINS: flag.default(false),
  FRONTEND_URL: origin.optional(),
  ...shortUrls,
  DOMAINS: setting('addresses', word(...DOMAIN_RULES).default('approval'), { choices: DOMAIN_RULES }),
  DEFAULT_LANGUAGE: word(...LANGUAGES).default('en'),
  REGISTRATION: setting('accounts', word(...REGISTRATIONS).default('invite'), { choices: REGISTRATIONS }),
  OIDC_PROVIDERS: setting('oidc', z.string().optional()),
  SIGN_IN: setting(
    'accounts',
    list.pipe(z.array(word(...SIGN_IN_WAYS)).min(1, 'names no way to sign in')).optional(),
    { choices: SIGN_IN_WAYS, many: true },
  ),
  SPEAKS: setting('doors', list.pipe(z.array(word(...SPOKEN))).default(['all']), {
    choices: SPOKEN,
    many: true,
  }),
  MAX_UPLOAD_BYTES: integer(1, Number.MAX_SAFE_INTEGER).default(512 * 1024 * 1024),
  MAX_RENDITION_BYTES: integer(0, Number.MAX_SAFE_INTEGER).default(10 * 1024 ** 3),
  MIN_FREE_BYTES: integer(0, Number.MAX_SAFE_INTEGER).default(256 * 1024 ** 2),
  UPLOAD_TYPES: list.check(readableBy(readTypeRules)).transform(readTypeRules).default(readTypeRules([])),
  MAX_EXPIRY_DAYS: integer(0, 36_500).default(0),
  DEFAULT_EXPIRY_DAYS: integer(0, 36_500).default(0),
  TRASH_DAYS: integer(0, 3_650).default(7),
  WORKERS: z
    .string()
    .regex(/^(auto|[1-9]\d{0,2})$/, 'must be a number of processes or "auto"')
    .default('1'),
  VISIT_ADDRESSES: word('full', 'truncated', 'none').default('full'),
  VISIT_LOG_DAYS: integer(0, 36_500).default(400),
  GEO_DATABASE: z.string().optional(),
  FFMPEG: z.string().trim().min(1).optional(),
  LOG_LEVEL: word('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  METRICS_TOKEN: z.string().optional(),
  ...secretVariables,
  ...outboundVariables,
  ...scannerVariables,
  ...tracingVariables,
  RATE_LIMIT: flag.default(true),
  DEMO: flag.default(false),
  STOP_DELAY: integer(0, 300).default(5),
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
  ['DATABASE_READ_URL', ['DATABASE_URL']],
  ...storageRequirements,
  ...chatRequirements,
  ...smtpInRequirements,
  ['OWNER_USERNAME', ['OWNER_EMAIL', 'OWNER_PASSWORD']],
  ['OWNER_EMAIL', ['OWNER_USERNAME', 'OWNER_PASSWORD']],
  ['OWNER_PASSWORD', ['OWNER_USERNAME', 'OWNER_EMAIL']],
];

/** The names of all variables. */
export const VARIABLES = Object.keys(environment.shape);

/** Variables that are missing but required by others. */
export function missing(given: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string) => given[name] !== undefined;
  const absent = (needs: readonly string[], cause: string) =>
    needs.filter((need) => !isSet(need)).map((need) => `${need}: is required with ${cause}`);
  const transport = given.MAIL_TRANSPORT?.toLowerCase() ?? '';
  const problems = [
    ...requirements.flatMap(([name, needs]) => (isSet(name) ? absent(needs, name) : [])),
    ...absent(ofTransport(transport), `MAIL_TRANSPORT=${transport}`),
    ...tooLong(given),
  ];
  return [...new Set(problems)];
}

/** The usual life of an item cannot be longer than the longest. */
function tooLong({
  MAX_EXPIRY_DAYS: max,
  DEFAULT_EXPIRY_DAYS: usual,
}: Readonly<Record<string, string | undefined>>) {
  const isLonger = Number(max ?? 0) > 0 && Number(usual ?? 0) > Number(max);
  return isLonger ? ['DEFAULT_EXPIRY_DAYS: must be at most MAX_EXPIRY_DAYS'] : [];
}

const ofTransport = (name: string): readonly string[] =>
  Object.entries(transportRequirements).find(([transport]) => transport === name)?.[1] ?? [];
