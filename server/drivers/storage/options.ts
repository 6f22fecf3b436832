import { resolve } from 'node:path';
import { z } from 'zod';
import { flag, keyPrefix, list, origin, type Requirement, type ValuesOf } from '../../shared/variables.js';

/** The places where content can be. */
export const PLACES = ['disk', 's3'] as const;
export type Place = (typeof PLACES)[number];

/** The variables that say where content is stored. */
export const storageVariables = {
  DATA_DIR: z.string().default('./data'),
  STORAGE: list
    .transform((places) => places.map((place) => place.toLowerCase()))
    .pipe(
      z
        .array(z.enum(PLACES, { error: 'must be disk, s3, or both with a comma' }))
        .min(1)
        .max(2),
    )
    .refine((places) => new Set(places).size === places.length, 'names a store twice')
    .optional(),
  // The proxies that are known to send files by themselves.
  ACCEL: z.enum(['nginx', 'caddy'], { error: 'must be nginx or caddy' }).optional(),
  S3_ENDPOINT: origin.optional(),
  S3_PUBLIC_ENDPOINT: origin.optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_BUCKET: z.string().optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),
  S3_REDIRECT: flag.default(false),
  S3_ADOPT_PREFIX: keyPrefix.optional(),
};

/** Which variables need each other. */
export const storageRequirements: readonly Requirement[] = [
  ['S3_ENDPOINT', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ['S3_BUCKET', ['S3_ENDPOINT']],
  ['S3_PUBLIC_ENDPOINT', ['S3_ENDPOINT']],
  ['S3_ADOPT_PREFIX', ['S3_ENDPOINT']],
  ['S3_ACCESS_KEY_ID', ['S3_ENDPOINT']],
  ['S3_SECRET_ACCESS_KEY', ['S3_ENDPOINT']],
];

/** Where content is stored. */
export interface StorageOptions {
  /** The folder of all files of an installation, absolute. */
  readonly dataDir: string;
  /** The object store; null if content is in `dataDir` only. */
  readonly s3: S3Options | null;
  /** Where content is read from; the first place also gets what is new. */
  readonly places: readonly Place[];
  /** Whether the proxy in front sends files from the disk. */
  readonly accelerated: boolean;
}

/** An S3-compatible object store. */
interface S3Options {
  readonly endpoint: string;
  /** Where clients reach it, if not at `endpoint`. */
  readonly publicEndpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
  /** Open content is fetched from it directly. */
  readonly redirect: boolean;
  /** Begins the keys of files that a front end stores itself; null for none. */
  readonly adoptPrefix: string | null;
}

/** Reads the options; `storageRequirements` are known to be met. */
export function storageOptions(values: ValuesOf<typeof storageVariables>): StorageOptions {
  const places = values.STORAGE ?? [values.S3_ENDPOINT === undefined ? 'disk' : 's3'];
  return {
    dataDir: resolve(values.DATA_DIR),
    s3: places.includes('s3') ? s3Options(values) : null,
    places,
    accelerated: values.ACCEL !== undefined,
  };
}

const s3Options = (values: ValuesOf<typeof storageVariables>): S3Options | null =>
  values.S3_ENDPOINT === undefined
    ? null
    : {
        endpoint: values.S3_ENDPOINT,
        publicEndpoint: values.S3_PUBLIC_ENDPOINT ?? null,
        region: values.S3_REGION,
        bucket: values.S3_BUCKET ?? '',
        accessKeyId: values.S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: values.S3_SECRET_ACCESS_KEY ?? '',
        forcePathStyle: values.S3_FORCE_PATH_STYLE,
        redirect: values.S3_REDIRECT,
        adoptPrefix: values.S3_ADOPT_PREFIX ?? null,
      };

/** The origin from which clients fetch presigned content; null if all bytes come from this server. */
export function presignedOrigin(s3: S3Options | null): string | null {
  if (s3 === null || !s3.redirect) return null;
  const { protocol, host } = new URL(s3.publicEndpoint ?? s3.endpoint);
  return s3.forcePathStyle ? `${protocol}//${host}` : `${protocol}//${s3.bucket}.${host}`;
}
