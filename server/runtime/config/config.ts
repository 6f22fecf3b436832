import { DOOR_NAMES } from '../../../rest-adapter/doors/names.js';
import { byKind } from '../../../routers/base/kinds.js';
import { challengeOptions } from '../../drivers/challenge/options.js';
import { chatOptions } from '../../drivers/chat/options.js';
import { mailOptions } from '../../drivers/mail/options.js';
import { readOidc } from '../../drivers/oidc/options.js';
import { outboundOptions } from '../../drivers/outbound/options.js';
import { scannerOptions } from '../../drivers/scanner/options.js';
import { secretOptions } from '../../drivers/secrets/options.js';
import { storageOptions } from '../../drivers/storage/options.js';
import { ConfigError } from '../../shared/config-error.js';
import { tracingOptions } from '../tracing/options.js';
import { environment, missing, shortUrlName } from './variables.js';

/** The configuration. Read at start; what administrators set in pages is taken over meanwhile (`installation.ts`). */
export type Config = ReturnType<typeof readConfig>;

/** The error for wrong variables, each as `NAME: what is wrong`. */
export const wrongVariables = (problems: readonly string[]): ConfigError =>
  new ConfigError(`Holdall cannot start. Fix these settings:\n  ${problems.join('\n  ')}`);

/** The variables that are set. An empty value counts as unset. */
type Given = Readonly<Record<string, string>>;

const isGiven = (entry: [string, string | undefined]): entry is [string, string] =>
  entry[1] !== undefined && entry[1] !== '';

/** What is wrong with variables, each as `NAME: what is wrong`, and what they say if nothing is. */
export function checked(given: Given) {
  const parsed = environment.safeParse(given);
  const wrong = parsed.error?.issues ?? [];
  const oidc = readOidc(given);
  const problems = [
    ...wrong.map(
      (issue) => `${issue.path.filter((part) => typeof part === 'string').join('.')}: ${issue.message}`,
    ),
    ...missing(given),
    ...(/\bs3\b/i.test(given.STORAGE ?? '') && given.S3_ENDPOINT === undefined
      ? ['S3_ENDPOINT: is required with STORAGE=s3']
      : []),
    ...oidc.problems,
    ...(/\boidc\b/i.test(given.SIGN_IN ?? '') && given.OIDC_PROVIDERS === undefined
      ? ['OIDC_PROVIDERS: is required with SIGN_IN=oidc']
      : []),
  ];
  return { problems, data: parsed.data, oidc };
}

/**
 * Reads the environment (contract §1). An empty value counts as unset.
 * Throws one `ConfigError` that names every wrong variable.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const given: Given = Object.fromEntries(Object.entries(env).filter(isGiven));
  const { problems, data, oidc } = checked(given);
  if (data === undefined || problems.length > 0) throw wrongVariables(problems);
  const baseUrl = data.BASE_URL ?? `http://localhost:${data.PORT}`;
  const base = new URL(baseUrl);
  // On the main host, `/{id}` serves nothing; links there use `/r/{id}`.
  const leadsNowhere = ({ host, pathname }: URL) => host === base.host && pathname === '/';
  const shortUrl = (given?: string) => (given === undefined || leadsNowhere(new URL(given)) ? null : given);
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(base.hostname);
  return {
    /** The variables that this was read from. */
    given,
    host: data.HOST,
    port: data.PORT,
    /** Scheme and host of every link that Holdall creates; no trailing slash. */
    origin: base.origin,
    loopback,
    databaseUrl: data.DATABASE_URL ?? null,
    /** Only what engines that speak PostgreSQL's protocol have, too, is used. */
    postgresSubset: data.POSTGRES_SUBSET,
    replica:
      data.DATABASE_READ_URL === undefined
        ? null
        : { url: data.DATABASE_READ_URL, lagMs: data.READ_LAG * 1000 },
    ...storageOptions(data),
    ...mailOptions(data, base.hostname),
    ...chatOptions(data),
    ...challengeOptions(data),
    ...outboundOptions(data),
    ...scannerOptions(data),
    ...tracingOptions(data),
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
    /** Whether accounts have hosts of their own for their links. */
    domains: data.DOMAINS,
    language: data.DEFAULT_LANGUAGE,
    registration: data.REGISTRATION,
    oidc: oidc.providers,
    /** The ways to sign in that are offered; all that are possible by default. */
    signIn: data.SIGN_IN ?? [
      ...(['password', 'passkey'] as const),
      ...(oidc.providers.length > 0 ? (['oidc'] as const) : []),
    ],
    /** The doors for the clients of other products that are open. */
    speaks: DOOR_NAMES.filter((name) => data.SPEAKS.includes('all') || data.SPEAKS.includes(name)),
    /** The languages whose words are read in pictures; none if they are not read. */
    ocr: data.OCR,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    trashDays: data.TRASH_DAYS,
    /** How much the renditions of all images may take together; null for any amount. */
    maxRenditionBytes: data.MAX_RENDITION_BYTES === 0 ? null : data.MAX_RENDITION_BYTES,
    /** Below this much free space nothing new is stored. */
    minFreeBytes: data.MIN_FREE_BYTES,
    uploadTypes: data.UPLOAD_TYPES,
    lives: {
      maxExpiryDays: data.MAX_EXPIRY_DAYS || null,
      defaultExpiryDays: data.DEFAULT_EXPIRY_DAYS || null,
    },
    workers: data.WORKERS,
    /** Which part of IP addresses the visit logs of short links store. */
    visitAddresses: data.VISIT_ADDRESSES,
    geoDatabase: data.GEO_DATABASE || null,
    /** FFmpeg for the tools that change videos: what is configured, and where it is looked for otherwise. */
    ffmpeg: { given: data.FFMPEG ?? null, searchPath: given.PATH ?? '' },
    /** How long visit logs are kept; null for forever. */
    visitLogDays: data.VISIT_LOG_DAYS === 0 ? null : data.VISIT_LOG_DAYS,
    /** How long the process still serves after SIGTERM, while `/readyz` tells proxies to go elsewhere. */
    stopDelayMs: data.STOP_DELAY * 1000,
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN ?? null,
    rateLimit: data.RATE_LIMIT,
    /** Whether everything begins anew each hour, and nothing is sent or fetched. */
    demo: data.DEMO,
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
