import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Link } from '../../../db/content/link/link.js';
import { fail, unlessRemoved } from '../../base/errors.js';
import { QR_LEVELS, qrCode } from '../../base/qr.js';
import { authorise } from '../../core/access.js';
import { accountOf } from '../../core/accounts/people.js';
import { brandingOf } from '../../core/branding/branding.js';
import type { Context, Services } from '../../core/context.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { urlSetOf } from '../../core/items/links.js';
import { may } from '../../core/policies.js';
import { renditionOf } from '../image/public.js';
import { findLink, linkId } from './find.js';
import { isEnded } from './visits/visit.js';

const colour = z
  .string()
  .regex(/^#?[0-9a-f]{6}$/i, 'use a colour like #102030')
  .transform((text) => `#${text.replace('#', '').toLowerCase()}`);

/** A link, and how its QR code looks. */
export const qrInput = z.object({
  ...linkId,
  type: z.enum(['svg', 'png']),
  password: shownPasswordInput,
  /** Pixels. */
  size: z.int().min(64).max(2048).default(512),
  color: colour.default('#000000'),
  background: colour.default('#ffffff'),
  /** Squares around the code; four is what readers expect at least. */
  margin: z.int().min(0).max(20).default(4),
  level: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(QR_LEVELS))
    .optional(),
  logo: z.boolean().default(false),
});

/** A drawing, or a picture as a temporary file; `shared` if everybody may have it. */
export const qrResult = z.object({
  svg: z.string().nullable(),
  png: z.object({ path: z.string(), size: z.int() }).nullable(),
  shared: z.boolean(),
});

/** The share of its side that a logo hides: a code of the highest level can be read without. */
const LOGO_SHARE = 0.22;
const MAX_PIXELS = 256;

/** The QR code of a short link, for everybody who may know of the link. Nothing is counted. */
export async function drawQr(
  ctx: Context,
  { uniqueId, host, type, password, ...look }: z.output<typeof qrInput>,
): Promise<z.output<typeof qrResult>> {
  const { app } = ctx;
  const link = await findLink(ctx, { uniqueId, host });
  if (isEnded(link) && !(await may(ctx, 'seeCounts', 'url', link))) fail('NOT_FOUND');
  if (!link.isPublic) await authorise(ctx, 'url', link, password);
  const svg = await drawn(app, link, look);
  const png = type === 'png' ? await pictureOf(ctx, svg) : null;
  return { svg: png === null ? svg : null, png, shared: link.isPublic };
}

async function drawn(
  app: Services,
  link: Link,
  look: Omit<z.output<typeof qrInput>, 'uniqueId' | 'host' | 'type' | 'password'>,
): Promise<string> {
  const { shortUrl } = await urlSetOf(app, 'url', link, await accountOf(app, link.ownerId));
  const { side, path } = qrCode(shortUrl, look.level ?? (look.logo ? 'H' : 'M'), look.margin);
  const { size, background, color } = look;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}"` +
    ` shape-rendering="crispEdges"><path fill="${background}" d="M0 0h${side}v${side}H0z"/>` +
    `<path fill="${color}" d="${path}"/>${look.logo ? await logoOf(app, side, look) : ''}</svg>`
  );
}

/** The logo of this installation in the middle of a code, or else its sign. */
async function logoOf(
  app: Services,
  side: number,
  { margin, background }: { readonly margin: number; readonly background: string },
): Promise<string> {
  const width = (side - 2 * margin) * LOGO_SHARE;
  const from = (side - width) / 2;
  const at = (pad: number) =>
    `x="${from + pad}" y="${from + pad}" width="${width - 2 * pad}" height="${width - 2 * pad}"`;
  const picture = await logoPicture(app);
  const inside =
    picture === null
      ? `<svg ${at(1)} viewBox="0 0 24 24" shape-rendering="auto">${SIGN}</svg>`
      : `<image ${at(0.5)} href="data:image/png;base64,${picture}"/>`;
  return `<rect ${at(0)} fill="${background}"/>${inside}`;
}

/** A bag, as on the pages. */
const SIGN =
  '<path fill="#0c6a57" d="M3 8.500h18l-1.300 10.600a2.200 2.200 0 0 1-2.200 1.900H6.500a2.200 2.200 0 0 1-2.200-1.900Z"/>' +
  '<path fill="none" stroke="#0c6a57" stroke-width="2" d="M7.500 9V7a4.500 4.500 0 0 1 9 0v2"/>';

/** A small picture of the logo as base64; null if there is none that can be shown. */
async function logoPicture(app: Services): Promise<string | null> {
  const { logo } = await brandingOf(app);
  const image = logo === null ? null : await app.load.image(logo);
  if (image === null) return null;
  const rendition = await unlessRemoved(renditionOf(app, image, { width: MAX_PIXELS, format: 'png' }));
  return rendition === null ? null : (await app.storage.blobs.read(rendition.sha256)).toString('base64');
}

/** A drawing as a PNG of the same size, which lives until the response is over. */
async function pictureOf(ctx: Context, svg: string): Promise<{ path: string; size: number }> {
  const { app } = ctx;
  const bytes = Buffer.from(svg);
  const staged = await app.storage.blobs.stage(Readable.from([bytes]), { maxBytes: bytes.length });
  try {
    const png = await app.limits.renditions(() =>
      app.media.change(staged.path, { tool: 'convert', format: 'png' }),
    );
    ctx.onFinished(() => void png.discard());
    return { path: png.path, size: png.size };
  } finally {
    await staged.discard();
  }
}
