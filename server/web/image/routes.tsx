import { renderEmbed } from '../../../routers/base/embed.js';
import { fail } from '../../../routers/base/errors.js';
import type { Exif, PictureWords } from '../../../routers/base/ports/media/media.js';
import { MAX_ID } from '../../../routers/base/slug.js';
import { itemPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { imageLifetime, pageStatus } from '../components/item/removed.js';
import { FindPage, PrivatePage } from '../gate/gate-pages.js';
import { askPassword, openByPassword } from '../gate/password-routes.js';
import { keepUnlocked, unlockedWith } from '../gate/unlock-cookie.js';
import { noteOpened } from '../opened.js';
import { closedPreview, imagePreview } from '../preview.js';
import type { ImageRecord } from '../records.js';
import { orShowAgain } from '../refusal.js';
import { withRenderability } from '../renderability.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { type ArchiveListing, listingOf } from '../shown/archive.js';
import { type TextShown, textOf } from '../shown/text-file.js';
import { manages, owns } from '../site.js';
import { countsViews } from '../visibility.js';
import { aroundOf } from './around.js';
import { ImagePage } from './image-page.js';
import type { Around } from './viewer.js';

/** The pages of images, videos and files. */
export const imagePages = [
  getPage('/image-render', async ({ site, query }) => {
    const id = query.text('id')?.trim() ?? '';
    const asked = [...id].slice(0, MAX_ID + 1).join('');
    return id === '' ? page(<FindPage site={site} />) : goTo(itemPath('image', asked));
  }),
  getPage('/image-render/{id}', (request) => showImage(request, request.params.id ?? ''), true),
  getPage('/image-document/{id}', async ({ params }) => ({
    as: 'bytes',
    uniqueId: params.id ?? '',
    framed: true,
  })),
  postForm('/image-render/{id}', openImage),
  postForm('/image/{id}', changeImage),
];

/** The page of an image, or the image itself if the client prefers one. */
export async function showImage(request: PageRequest, uniqueId: string): Promise<PageAnswer> {
  if (prefersImage(request.header('accept'))) return { as: 'bytes', uniqueId };
  const path = itemPath('image', uniqueId);
  const password = unlockedWith(request, path);
  const image = await request.call.image.info({ uniqueId, password, exif: true, words: true });
  if (!isBlank(image)) {
    if (!countsViews(image)) await noteOpened(request, 'image', uniqueId);
    const [shown, around, text, listing] = await Promise.all([
      withRenderability(request, image, password),
      aroundOf(request, image),
      textOf(request, image, password),
      listingOf(request, image, password),
    ]);
    return page(
      view(request, shown, password, { around, text, listing, exif: image.exif, words: image.words }),
      pageStatus(imageLifetime(image)),
    );
  }
  if (image.requiresPassword) return page(askPassword(request, 'image', path));
  return page(<PrivatePage site={request.site} meta={closedPreview(image.urlSet.webUrl, request.site)} />);
}

async function openImage(request: PageRequest): Promise<PageAnswer> {
  const uniqueId = request.params.id ?? '';
  const path = itemPath('image', uniqueId);
  const password = request.body.string('password');
  return openByPassword(request, 'image', path, async () => {
    const image = await request.call.image.unlock({ uniqueId, password });
    // With a view limit the password is asked for each time; owners and moderators are never asked.
    if (image.requiresPassword && image.maxViews === null && !manages(request.site.viewer, image.uploader))
      keepUnlocked(request, path, password);
    if (!countsViews(image)) await noteOpened(request, 'image', uniqueId);
    const [shown, text, listing] = await Promise.all([
      withRenderability(request, image, password),
      textOf(request, image, password),
      listingOf(request, image, password),
    ]);
    return page(view(request, shown, password, { text, listing }));
  });
}

/** Saves changes that the owner makes on the page of an item. */
async function changeImage(request: PageRequest): Promise<PageAnswer> {
  const { call, params, body, site } = request;
  const uniqueId = params.id ?? '';
  const action = body.text('action');
  if (action !== 'save' && action !== 'lock' && action !== 'unlock') fail('INVALID');
  return orShowAgain(
    { site, body },
    async () => {
      if (action === 'save') {
        const isPrivate = body.boolean('private') ?? false;
        // An untouched checkbox must not undo what was saved in another tab in the meantime.
        if (isPrivate !== body.boolean('shown-private'))
          await call.library.setPrivate({ ids: [uniqueId], private: isPrivate });
        await call.library.describe({ uniqueId, description: body.string('description') });
      } else {
        const password = action === 'unlock' ? '' : body.string('password');
        // For the procedure an empty password means: remove the password.
        if (action === 'lock' && password === '') fail('INVALID', 'password: enter a password');
        await call.image.setPassword({ uniqueId, password });
      }
      return goTo(`${itemPath('image', uniqueId)}?done=saved`);
    },
    async (state) => {
      const image = await call.image.info({ uniqueId });
      if (isBlank(image) || !owns(site.viewer, image.uploader)) fail('NOT_OWNER');
      return view(request, await withRenderability(request, image, null), null, { state });
    },
  );
}

/** What a page shows besides the item. */
interface Beside {
  readonly state?: FormState;
  readonly around?: Around | null;
  readonly text?: TextShown | null;
  readonly listing?: ArchiveListing | null;
  readonly exif?: Exif | null;
  readonly words?: PictureWords | null;
}

function view(
  { site, method }: PageRequest,
  image: ImageRecord,
  password: string | null,
  { state, around = null, text = null, listing = null, exif = null, words = null }: Beside = {},
) {
  const embed = renderEmbed(image.webhookSettings, {
    uid: image.uniqueId,
    size: image.size,
    filetype: image.type,
    uploader: image.uploader.username,
    username: image.uploader.username,
    url: image.urlSet.webUrl,
  });
  const mayManage = manages(site.viewer, image.uploader);
  return (
    <ImagePage
      site={site}
      image={image}
      meta={imagePreview(image, embed, site)}
      password={password}
      mayManage={mayManage}
      mayChange={owns(site.viewer, image.uploader)}
      gated={image.maxViews !== null && !mayManage && method !== 'POST'}
      around={around}
      text={text}
      listing={listing}
      exif={exif}
      words={words}
      state={state}
    />
  );
}

/** Without access the details in a record are null. */
const isBlank = (image: ImageRecord): boolean => image.size === null;

/** Whether the header prefers an image type over all types that a page can have. */
function prefersImage(accept: string | null): boolean {
  const weights = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part.trim().toLowerCase().split(';');
    const weight = parameters
      .map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    return { type: type.trim(), weight: weight === undefined ? 1 : Number(weight) };
  });
  const best = (matches: (type: string) => boolean) =>
    Math.max(0, ...weights.filter(({ type }) => matches(type)).map(({ weight }) => weight));
  const image = best((type) => type.startsWith('image/'));
  return image > 0 && image > best((type) => type === 'text/html' || type === 'application/xhtml+xml');
}
