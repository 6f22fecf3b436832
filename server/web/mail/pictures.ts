import type { MessageRecord } from '../records.js';
import type { PageRequest } from '../request.js';

/** What is embedded in one page: a picture, and all of them together. */
const PICTURE_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 12 * 1024 * 1024;
/** The kinds that every browser decodes and none runs, by their first bytes. */
const SAFE: readonly (readonly [type: string, start: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '474946383961'],
  ['image/gif', '474946383761'],
  ['image/webp', '52494646........57454250'],
];

/**
 * The attached pictures of a mail as `data:` addresses, by their index, of those that are `wanted`. A frame without an
 * origin can load nothing else from here.
 */
export async function picturesOf(
  { call, ctx, params }: PageRequest,
  { messageId, attachments }: MessageRecord,
  wanted: (attachment: MessageRecord['attachments'][number]) => boolean,
): Promise<ReadonlyMap<number, string>> {
  const email = params.email ?? '';
  const pictures = new Map<number, string>();
  let left = PAGE_BYTES;
  for (const [index, attachment] of attachments.entries()) {
    const { size } = attachment;
    if (!wanted(attachment) || size > Math.min(left, PICTURE_BYTES)) continue;
    const file = await call.email.attachment({ email, messageId, index }).catch(() => null);
    const bytes = file === null ? null : await ctx.app.storage.blobs.read(file.sha256).catch(() => null);
    const type = bytes === null ? undefined : typeOf(bytes);
    if (bytes === null || type === undefined) continue;
    left -= size;
    pictures.set(index, `data:${type};base64,${bytes.toString('base64')}`);
  }
  return pictures;
}

const typeOf = (bytes: Buffer): string | undefined => {
  const start = bytes.toString('hex', 0, 12);
  return SAFE.find(([, begins]) => new RegExp(`^${begins}`).test(start))?.[0];
};

/** The HTML of a mail with the attached pictures that it shows (`cid:`). */
export async function withPictures(request: PageRequest, message: MessageRecord): Promise<string> {
  const { html, attachments } = message;
  const shown = new Set([...html.matchAll(CID)].map(([, id = '']) => id));
  const pictures = await picturesOf(request, message, ({ contentId }) => shown.has(contentId ?? ''));
  const byId = new Map(
    [...pictures].map(([index, address]) => [attachments[index]?.contentId ?? '', address]),
  );
  let left = PAGE_BYTES * 2;
  return html.replace(CID, (whole, id: string) => {
    const address = byId.get(id);
    left -= address?.length ?? 0;
    return address === undefined || left < 0 ? whole : ` src="${address}"`;
  });
}

/** The HTML of a mail with the pictures that it names elsewhere, which tells their servers that it is read. */
export const withRemotePictures = (html: string): string => html.replace(REMOTE, ' src="$1"');

/** As the sanitiser writes them. */
const REMOTE = / data-src="(https?:[^"]+)"/gi;
const CID = / data-src="cid:([^"]+)"/gi;
