import { isPrefetch } from '../../../rest-adapter/wire.js';
import { renderEmbed } from '../../../routers/embed.js';
import { DomainError, fail } from '../../../routers/errors.js';
import { safeNext } from '../address.js';
import { showImage } from '../image/routes.js';
import { showLink } from '../link/routes.js';
import { showPaste } from '../paste/routes.js';
import { showPlaylist } from '../playlist/routes.js';
import { linkTitle } from '../preview.js';
import { reasonOf } from '../refusal.js';
import {
  getForBrowsers,
  getPage,
  goTo,
  type PageAnswer,
  type PageRequest,
  page,
  postForm,
} from '../request.js';
import { settled } from '../settled.js';
import { ErrorPage } from './error.js';
import { WelcomePage } from './home.js';
import { showOverview } from './list-routes.js';
import { imageOEmbed, type OEmbed, wordsOEmbed } from './oembed.js';

/** How long a browser remembers the theme chosen in it. */
const YEAR_SECONDS = 365 * 24 * 3600;

/** The start page, items of any kind, and pages for no kind in particular. */
export const sitePages = [
  getForBrowsers(['/', '/v1'], async (request) =>
    request.site.viewer === null ? page(<WelcomePage site={request.site} />) : showOverview(request),
  ),
  getPage('', async () => goTo('/')),
  getForBrowsers(['/r/{id}'], follow),
  getPage('/site/render/{id}', showAny, true),
  postForm('/theme', chooseTheme),
  getPage('/oembed', oEmbed),
  ...[400, 404, 500].map((status) =>
    getPage(`/error${status}`, async ({ site }) => page(<ErrorPage site={site} status={status} />)),
  ),
];

/** Shows the item with this ID, whatever its kind. */
async function showAny(request: PageRequest): Promise<PageAnswer> {
  const uniqueId = request.params.id ?? '';
  const location = await targetOf(request, uniqueId);
  if (location === null) return showPlaylist(request, uniqueId);
  // A short link never leads to this service, so such an address is the page of another kind.
  if (location.startsWith(`${request.site.origin}/web/image-render/`)) return showImage(request, uniqueId);
  if (location.startsWith(`${request.site.origin}/web/paste-render/`)) return showPaste(request, uniqueId);
  return showLink(request, uniqueId);
}

/** Where the short link with this ID leads; null if no image, paste or link has it. */
async function targetOf({ call }: PageRequest, uniqueId: string): Promise<string | null> {
  try {
    return (await call.site.follow({ uniqueId, head: true, prefersPage: true })).location;
  } catch (error) {
    if (reasonOf(error) === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Follows a short link like the API does, but shows an error page if it leads nowhere. */
async function follow({ call, method, params, header, query }: PageRequest): Promise<PageAnswer> {
  const { location, permanent } = await call.site.follow({
    uniqueId: params.id ?? '',
    host: header('host'),
    password: query.text('password'),
    head: method === 'HEAD',
    prefersPage: true,
    referrer: header('referer'),
    prefetch: isPrefetch(header),
  });
  return { as: 'redirect', status: permanent ? 301 : 302, location };
}

async function chooseTheme({ ctx, body }: PageRequest): Promise<PageAnswer> {
  const theme = body.text('theme');
  const value = theme === 'light' || theme === 'dark' ? theme : null;
  ctx.outgoingCookies.push({ name: 'theme', value, maxAgeSeconds: YEAR_SECONDS });
  return goTo(safeNext(body.string('next')));
}

/** The oEmbed JSON of a page (https://oembed.com); 404 for items that are not public, 501 for other formats. */
async function oEmbed(request: PageRequest): Promise<PageAnswer> {
  if (!['', 'json'].includes(request.query.string('format')))
    return { as: 'json', status: 501, body: { error: 'Only format=json is available' } };
  const match = /\/web\/(image-render|paste-render|url-render|playlist)\/([\w-]{1,64})$/.exec(
    request.query.text('url') ?? '',
  );
  const [, kind, uniqueId] = match ?? fail('NOT_FOUND');
  const of = oEmbedOf[kind as keyof typeof oEmbedOf];
  return { as: 'json', status: 200, body: (await of(request, uniqueId ?? '')) ?? fail('NOT_FOUND') };
}

const oEmbedOf = {
  'image-render': ofImage,
  'paste-render': ofPaste,
  'url-render': ofLink,
  playlist: ofPlaylist,
};

async function ofImage(request: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  const { call, site, query } = request;
  const image = await settled(request, await call.image.info({ uniqueId }), null);
  const { username } = image.uploader;
  const values = {
    uid: image.uniqueId,
    size: image.size,
    filetype: image.type,
    uploader: username,
    username,
    url: image.urlSet.webUrl,
  };
  const bounds = { width: boundOf(query.string('maxwidth')), height: boundOf(query.string('maxheight')) };
  return imageOEmbed(image, renderEmbed(image.webhookSettings, values), site.origin, bounds);
}

/** Anything but a positive whole number is no bound. */
const boundOf = (text: string): number =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;

async function ofPaste({ call, site }: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  try {
    const paste = await call.paste.get({ uniqueId });
    const open = paste.isPublic && !paste.requiresPassword;
    return open ? wordsOEmbed(paste.title, paste.uploader.username, site.origin) : null;
  } catch (error) {
    if (error instanceof DomainError && error.status === 403) return null;
    throw error;
  }
}

async function ofLink({ call, site }: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  const link = await call.url.get({ uniqueId });
  const title = linkTitle(link);
  return title === null ? null : wordsOEmbed(title, link.uploader.username, site.origin);
}

async function ofPlaylist({ call, site }: PageRequest, identifier: string): Promise<OEmbed> {
  const { title, owner } = await call.playlist.title({ identifier });
  return wordsOEmbed(title, owner.username, site.origin);
}
