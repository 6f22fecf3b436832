/** Parsers for the values of variables. */
import { z } from 'zod';

/** One of these words, in any case. */
export const word = <const W extends readonly string[]>(...words: W) =>
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(words, { error: `must be one of ${words.join(', ')}` }));
/** A boolean in one of several spellings. */
export const flag = word('true', 'false', '1', '0', 'on', 'off', 'yes', 'no').transform((value) =>
  ['true', '1', 'on', 'yes'].includes(value),
);
/** A whole number within bounds. */
export const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max));
/** An http(s) URL without trailing slashes. */
export const origin = z
  .url({ protocol: /^https?$/, error: 'must be a URL with http or https' })
  .transform((value) => value.replace(/(?<!\/)\/+$/, ''));
/** Scheme and host only. */
export const bareOrigin = origin.refine(
  (value) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`,
  'must be an origin: scheme and host, without a path, query or username',
);
/** A host name, or a domain with all its subdomains. */
export const domain = z
  .string()
  .regex(
    /^\.?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i,
    'must be a domain like example.org',
  );
/** A host name, in lower case. */
export const hostName = domain
  .refine((value) => !value.startsWith('.'), 'must be a domain like example.org')
  .transform((value) => value.toLowerCase());
/** A comma-separated list. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Accepts values that `read` accepts; the message is that of the error it throws. */
export const readableBy =
  <T>(read: (value: T) => unknown) =>
  (ctx: z.core.ParsePayload<T>): void => {
    try {
      read(ctx.value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      ctx.issues.push({ code: 'custom', message, input: ctx.value });
    }
  };

/** An origin as browsers send it, of a website or of an app with its own scheme. */
export const readOrigin = (value: string): string => {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+\/?$/i.test(value) || !URL.canParse(value))
    throw new Error(`${value} is not an origin like https://example.org`);
  const { origin } = new URL(value);
  return origin === 'null' ? value.replace(/\/$/, '') : origin;
};

/** The beginning of the keys of objects that another program stores in the bucket; never that of our own keys. */
export const keyPrefix = z
  .string()
  .regex(
    /^(?!(?:blobs|reserved|check)\/)(?:[\w.-]+\/)+$/,
    'must be a folder of the bucket with a slash at its end, like media/',
  );

/** The parsed values of a part's variables, given by the schemas of these. */
export type ValuesOf<Variables extends z.ZodRawShape> = z.output<z.ZodObject<Variables>>;

/** A variable, and those that must be set with it. */
export type Requirement = readonly [name: string, needs: readonly string[]];
