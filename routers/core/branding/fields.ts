import { z } from 'zod';
import { rule } from '../../base/language/rules.js';
import { expiryInput } from '../../base/text/dates.js';

/** The longest policy, in characters. */
const MAX_POLICY = 50_000;
const MAX_LINKS = 12;

/** One line of visible text; null clears, as "" does. */
const line = (max: number) =>
  z
    .string()
    .transform((text) => text.replace(/\s+/gu, ' ').trim())
    .pipe(
      z
        .string()
        .max(max, rule('use at most {max} characters', { max }))
        .regex(/^\P{Cc}*$/u, 'use no control characters'),
    );

/** An address that a page can link to: a path of this server, a website, or an e-mail address. */
const address = z
  .string()
  .trim()
  .max(2_000)
  .refine(isAddress, 'use an http, https or mailto address, or a path that begins with /');

function isAddress(text: string): boolean {
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  if (/[\p{Cc}\s\\]/u.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  return /^(?:https?:\/\/|mailto:)/i.test(text) && URL.canParse(text);
}

const footerLink = z.object({ label: line(60).pipe(z.string().min(1, 'enter a label')), url: address });

const banner = z.object({
  text: line(500).pipe(z.string().min(1, 'enter a text')),
  kind: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['info', 'warning']))
    .nullish(),
  /** When it ends; absent for never. */
  until: expiryInput,
});

const accent = z
  .string()
  .trim()
  .toLowerCase()
  .refine((text) => text === '' || /^#[0-9a-f]{6}$/.test(text), 'use a colour like #0c6a57');

const policy = z.string().max(MAX_POLICY, rule('use at most {max} characters', { max: MAX_POLICY }));

/** What an administrator changes; absent keeps, null and "" clear. */
export const brandingInput = z.object({
  name: line(60).nullish(),
  tagline: line(200).nullish(),
  /** The id of a public image. */
  logo: z.string().trim().max(64).nullish(),
  accent: accent.nullish(),
  footerLinks: z
    .array(footerLink)
    .max(MAX_LINKS, rule('there can be at most {max} links', { max: MAX_LINKS }))
    .nullish(),
  banner: banner.nullish(),
  /** Where short links lead that nobody has. */
  unknownUrl: z.string().max(8_000).nullish(),
  privacy: policy.nullish(),
  imprint: policy.nullish(),
});
export type BrandingInput = z.output<typeof brandingInput>;

/** The name of a policy. */
export const POLICIES = ['privacy', 'imprint'] as const;
export type Policy = (typeof POLICIES)[number];

const bannerRecord = z.object({
  text: z.string(),
  kind: z.enum(['info', 'warning']),
  until: z.iso.datetime().nullable(),
});

/** What pages and other programs show of the operator; `name` is that of the software unless there is another. */
export const brandingRecord = z.object({
  name: z.string(),
  tagline: z.string().nullable(),
  logo: z.string().nullable(),
  accent: z.string().nullable(),
  footerLinks: z.array(z.object({ label: z.string(), url: z.string() })),
  banner: bannerRecord.nullable(),
  /** Where short links lead that nobody has, for administrators. */
  unknownUrl: z.string().nullable(),
  privacy: z.string().nullable(),
  imprint: z.string().nullable(),
});
export type BrandingRecord = z.output<typeof brandingRecord>;
