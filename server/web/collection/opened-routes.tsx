import { collectionEditorPath, collectionPath, itemPath, listPath, tileAnchor } from '../address.js';
import { askPassword, openByPassword } from '../gate/password-routes.js';
import { pageWith, partAsked, placeIn } from '../listing.js';
import { collectionPreview } from '../preview.js';
import type { CollectionFile, OpenedCollection } from '../records.js';
import { reasonOf } from '../refusal.js';
import { getPage, goTo, moved, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { unlessPreviewed } from '../share/previewed.js';
import { manages } from '../site.js';
import { OpenedPage } from './opened-page.js';
import { CollectionViewPage } from './view-page.js';

/** What others see of collections, by their own address or a share link. */
export const openedPages = [
  getPage('/collection/{id}', (request) => show(request, byId(request))),
  postForm('/collection/{id}', (request) => unlock(request, byId(request))),
  getPage('/collection/{id}/view/{file}', (request) => view(request, byId(request))),
  // Where playlists had pages of their own.
  getPage('/playlist/{id}', async ({ params, search }) => moved(collectionPath(params.id ?? ''), search)),
  getPage(
    '/share/{secret}/view/{file}',
    unlessPreviewed((request) => view(request, bySecret(request))),
  ),
];

/** How a page opens what it shows, and the address that its password form posts to. */
interface Way {
  readonly action: string;
  /** By a secret of its own, which previews tell nobody about. */
  readonly isSecret: boolean;
  /** Where its parts are in the interface for programs. */
  readonly base: string;
  open(password: string | null, asked?: Asked): Promise<OpenedCollection>;
}

/** How it is opened: only asked about, which part, and with the ticket of an opening. */
interface Asked {
  readonly head: boolean;
  readonly part: { readonly page: number; readonly size: number } | null;
  readonly ticket: string | null;
}

const asked = ({ method, query }: PageRequest): Asked => ({
  head: method === 'HEAD',
  part: partAsked(query),
  ticket: query.text('ticket') ?? null,
});

const byId = (request: PageRequest, uniqueId = request.params.id ?? ''): Way => {
  return {
    action: collectionPath(uniqueId),
    isSecret: false,
    base: `/v1/collection/open/${encodeURIComponent(uniqueId)}`,
    open: (password, how = asked(request)) => request.call.collection.open({ uniqueId, password, ...how }),
  };
};

const bySecret = (request: PageRequest): Way => {
  const secret = request.params.secret ?? '';
  return {
    action: `/web/share/${encodeURIComponent(secret)}`,
    isSecret: true,
    base: `/v1/collection/shared/${encodeURIComponent(secret)}`,
    open: (password, how = asked(request)) => request.call.collection.shared({ secret, password, ...how }),
  };
};

/** The page of the collection with this id, as others see it. */
export const showCollection = (request: PageRequest, uniqueId: string): Promise<PageAnswer> =>
  show(request, byId(request, uniqueId));

/** The page of the collection that a share link opens, with the password of its form or without one. */
export const openByShare = (request: PageRequest, posted: boolean): Promise<PageAnswer> =>
  (posted ? unlock : show)(request, bySecret(request));

async function show(request: PageRequest, way: Way): Promise<PageAnswer> {
  try {
    return opened(request, way, await way.open(null));
  } catch (error) {
    if (reasonOf(error) !== 'PASSWORD_REQUIRED') throw error;
    return page(askPassword(request, 'collection', way.action), 403);
  }
}

const unlock = (request: PageRequest, way: Way): Promise<PageAnswer> =>
  openByPassword(request, 'collection', way.action, async () =>
    opened(request, way, await way.open(request.body.string('password'))),
  );

/** The other pages are opened with the ticket of this one, which the addresses of the files have, too. */
const opened = (
  { site, query }: PageRequest,
  { action, isSecret, base }: Way,
  { items, ...collection }: OpenedCollection,
): PageAnswer => {
  const { page: at, size } = partAsked(query);
  const { uniqueId, owner, zipUrl } = collection;
  const ticket = collection.ticket ?? '';
  // Files with counted views are only downloaded one by one.
  const holdsAny = manages(site.viewer, owner) || items.some(({ maxViews }) => maxViews === null);
  return page(
    <OpenedPage
      site={site}
      collection={collection}
      list={{ items, total: collection.totalFiles, page: at, pageSize: size }}
      meta={isSecret ? [] : collectionPreview(collection, site.origin + collectionPath(uniqueId), site)}
      zipUrl={holdsAny ? zipUrl : null}
      randomUrl={listPath(`${base}/random`, { ticket })}
      pageHref={(page) => listPath(action, { page, ticket })}
      viewHref={(file, index) => viewPath(action, file, at * size + index, ticket)}
      editPath={
        collection.role == null || collection.role === 'viewer' ? null : collectionEditorPath(uniqueId)
      }
    />,
  );
};

/** The page of a file of a collection that is opened at this address; `at` is its place among all. */
const viewPath = (action: string, { uniqueId }: CollectionFile, at: number, ticket: string): string =>
  listPath(`${action}/view/${encodeURIComponent(uniqueId)}`, { at, ticket });

/** So many files are read to find one, and those beside it. */
const BESIDE = 12;

/**
 * One file of a collection that was opened before, which counted. Who comes without the ticket that this takes, or to
 * what is not there any more, is led to the collection.
 */
async function view({ site, query, params }: PageRequest, way: Way): Promise<PageAnswer> {
  const ticket = query.text('ticket') ?? null;
  // Without a ticket, the collection is only asked about: nothing is counted, and what has counted views shows no file.
  const read = async (part: Asked['part']) => way.open(null, { head: ticket === null, part, ticket });
  const place = placeIn(query, 'at');
  const isIt = ({ uniqueId }: CollectionFile): boolean => uniqueId === params.file;
  try {
    let first = Math.floor(place / BESIDE) * BESIDE;
    let near = await read({ page: first / BESIDE, size: BESIDE });
    if (!near.items.some(isIt)) [first, near] = [0, await read(null)];
    const within = near.items.findIndex(isIt);
    const file = near.items[within];
    if (file === undefined) return goTo(way.action);
    if (file.fileUrl === null) return goTo(itemPath('image', file.uniqueId));
    const index = first + within;
    const beside = async (at: number): Promise<string | null> => {
      if (at < 0 || at >= near.totalFiles) return null;
      const other = near.items[at - first] ?? (await read({ page: at, size: 1 })).items[0];
      return other === undefined ? null : viewPath(way.action, other, at, ticket ?? '');
    };
    const back = listPath(way.action, { page: pageWith(index), ticket: ticket ?? '' });
    const around = {
      ...{
        back: `${back}#${tileAnchor(file.uniqueId)}`,
        label: near.title || site.i18n.t('A sealed collection'),
      },
      ...{ previous: await beside(index - 1), next: await beside(index + 1) },
      ...{ index, total: near.totalFiles },
    };
    return page(
      <CollectionViewPage
        site={site}
        file={file}
        fileUrl={file.fileUrl}
        around={around}
        less={near.renditionsOnly}
      />,
    );
  } catch (error) {
    if (reasonOf(error) !== 'PASSWORD_REQUIRED') throw error;
    return goTo(way.action);
  }
}
