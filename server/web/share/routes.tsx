import { DomainError, fail } from '../../../routers/base/errors.js';
import { SHARED_KINDS, type SharedKind } from '../../../routers/base/kinds.js';
import { sharePath } from '../address.js';
import { openByShare } from '../collection/opened-routes.js';
import { CollectionViewPage } from '../collection/view-page.js';
import type { FormState } from '../components/form/form.js';
import { notifyIn } from '../edit/notify.js';
import { askPassword, openByPassword } from '../gate/password-routes.js';
import { shownFile } from '../paste/file-tabs.js';
import { orShowAgain, reasonOf } from '../refusal.js';
import { getPage, goTo, orNull, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { showText } from '../shown/text-file.js';
import { requireViewer } from '../viewer.js';
import { allLinks } from './all-links.js';
import { unlessPreviewed } from './previewed.js';
import { SharePage } from './share-page.js';
import { SharedPastePage } from './shared-paste-page.js';

/** What share links open, and the pages on which owners make and revoke them. */
export const sharePages = [
  getPage(
    '/share/{secret}',
    unlessPreviewed((request) => openAny(request, false)),
  ),
  postForm('/share/{secret}', (request) => openAny(request, true)),
  getPage('/share-links/{kind}/{id}', async (request) => page(await owned(request))),
  postForm('/share-links/{kind}/{id}', change),
];

/** Shows what a share link opens, of whatever kind it is. */
async function openAny(request: PageRequest, posted: boolean): Promise<PageAnswer> {
  for (const kind of ['image', 'paste'] as const) {
    try {
      return await openItem(request, kind, posted);
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'NOT_FOUND') throw error;
    }
  }
  return openByShare(request, posted);
}

/** The pages of items that a share link opens. */
const ITEM_VIEWS = { image: sharedImage, paste: sharedPaste };

async function openItem(
  request: PageRequest,
  kind: keyof typeof ITEM_VIEWS,
  posted: boolean,
): Promise<PageAnswer> {
  const secret = request.params.secret ?? '';
  const action = `/web/share/${encodeURIComponent(secret)}`;
  const head = request.method === 'HEAD';
  const open = async (password: string | null) =>
    page(await ITEM_VIEWS[kind](request, action, { secret, password, head }));
  if (posted) return openByPassword(request, kind, action, () => open(request.body.string('password')));
  try {
    return await open(null);
  } catch (error) {
    if (reasonOf(error) !== 'PASSWORD_REQUIRED') throw error;
    return page(askPassword(request, kind, action), 403);
  }
}

interface Asked {
  readonly secret: string;
  readonly password: string | null;
  readonly head: boolean;
}

async function sharedImage(request: PageRequest, _action: string, asked: Asked) {
  const { image, fileUrl, renditionsOnly } = await request.call.image.sharedRecord(asked);
  const path = image.originalName ?? image.uniqueId;
  // Its opening was counted; what the page loads needs no other view.
  const file = { ...image, maxViews: null, views: null, path, fileUrl };
  return (
    <CollectionViewPage
      site={request.site}
      file={file}
      fileUrl={fileUrl}
      around={null}
      less={renditionsOnly}
    />
  );
}

async function sharedPaste(request: PageRequest, action: string, asked: Asked) {
  const paste = await request.call.paste.shared(asked);
  const file = shownFile(request, paste, action);
  const text = await showText(request, file.content, file.language, file.name ?? paste.title, 'prose');
  return <SharedPastePage site={request.site} paste={paste} file={file} text={text} action={action} />;
}

const kindIn = ({ params: { kind } }: PageRequest): SharedKind =>
  SHARED_KINDS.find((known) => known === kind) ?? fail('NOT_FOUND');

/** What is shared, as its owner calls it, and whether it has pictures. */
const DESCRIBED: Readonly<
  Record<
    SharedKind,
    (call: PageRequest['call'], uniqueId: string) => Promise<{ name: string; smaller: boolean }>
  >
> = {
  image: async ({ image }, uniqueId) => {
    const { originalName, description, mimeType } = await image.info({ uniqueId });
    return { name: originalName ?? description ?? uniqueId, smaller: mimeType.startsWith('image/') };
  },
  paste: async ({ paste }, uniqueId) => ({
    name: (await paste.described({ uniqueId })).title,
    smaller: false,
  }),
  collection: async ({ collection }, uniqueId) => {
    const { title } = await collection.get({ uniqueId, part: { page: 0, size: 1 } });
    return { name: title, smaller: true };
  },
};

async function owned(request: PageRequest, state?: FormState) {
  requireViewer(request);
  const kind = kindIn(request);
  const uniqueId = request.params.id ?? '';
  // The list is its owner's alone.
  const links = await allLinks(request.call, kind, uniqueId);
  const sends = request.ctx.app.mail.transport.label !== null;
  const { name, smaller } = await DESCRIBED[kind](request.call, uniqueId);
  return <SharePage site={request.site} {...{ kind, uniqueId, name, smaller, sends, links, state }} />;
}

async function change(request: PageRequest): Promise<PageAnswer> {
  const { body, call, params } = request;
  const kind = kindIn(request);
  const uniqueId = params.id ?? '';
  return orShowAgain(
    request,
    async () => {
      const action = body.text('action');
      if (action === 'revoke') await call[kind].deleteLink({ uniqueId, linkId: Number(body.string('link')) });
      else if (action === 'share')
        await call[kind].createLink({
          uniqueId,
          label: body.text('linkLabel'),
          expiresAt: orNull(body.string('linkExpiresAt')),
          maxViews: body.number('linkMaxViews') ?? null,
          renditionsOnly: body.boolean('linkRenditionsOnly') ?? false,
          notify: notifyIn(body, 'linkNotify'),
          ...(body.string('linkPassword') === '' ? {} : { password: body.string('linkPassword') }),
        });
      else if (action === 'send')
        await call[kind].sendLinks({
          uniqueId,
          to: body.list('to') ?? [],
          message: body.text('message'),
          replyTo: body.boolean('replyTo') ?? false,
          own: body.boolean('own') ?? false,
        });
      else fail('INVALID');
      return goTo(`${sharePath(kind, uniqueId)}?done=saved`);
    },
    (state) => owned(request, state),
  );
}
