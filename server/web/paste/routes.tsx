import { fail } from '../../../routers/base/errors.js';
import { itemPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { pageStatus, pasteLifetime } from '../components/item/removed.js';
import { creatorOnly } from '../gate/creator-only.js';
import { BurnPage, PrivatePage } from '../gate/gate-pages.js';
import { askPassword, openByPassword } from '../gate/password-routes.js';
import { keepUnlocked, unlockedWith } from '../gate/unlock-cookie.js';
import { choiceOf, listQuery } from '../listing.js';
import { noteOpened } from '../opened.js';
import { closedPreview, pastePreview } from '../preview.js';
import type { PasteRecord } from '../records.js';
import { again, reasonOf } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { ownRecipient, refuseUnsealed } from '../sealed/sealed-choice.js';
import { showText, sourceOf } from '../shown/text-file.js';
import { manages } from '../site.js';
import { expiryOf } from '../upload/lifetime.js';
import { requireViewer } from '../viewer.js';
import { filesIn } from './file-fields.js';
import { allFiles, shownFile } from './file-tabs.js';
import { PasteCreatePage } from './paste-create-page.js';
import { PastePage } from './paste-page.js';
import { PastesPage } from './pastes-page.js';

/** As much of a text says in what language it is. */
const MAX_SAMPLE = 20_000;

/** The pages of pastes. */
export const pastePages = [
  getPage('/pastes', listOwn),
  getPage(
    '/paste-create',
    creatorOnly(async (request) => page(await createForm(request))),
  ),
  postForm('/paste-create', again(createForm, createPaste), 'text'),
  postForm('/paste-language', announceLanguage),
  getPage('/paste-render/{id}', (request) => showPaste(request, request.params.id ?? '')),
  postForm('/paste-render/{id}', readPaste),
];

/** Which language a text that is being typed will have. */
async function announceLanguage(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { body, ctx } = request;
  const text = body.string('text').slice(0, MAX_SAMPLE);
  const { language } = await ctx.app.highlight(text, null, body.text('title') ?? null);
  return { as: 'json', status: 200, body: { language } };
}

async function createForm(request: PageRequest, state?: FormState) {
  return <PasteCreatePage site={request.site} recipient={await ownRecipient(request)} state={state} />;
}

/** The pastes of a signed-in user. */
async function listOwn(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const asked = {
    ...listQuery(request.query),
    favourite: choiceOf(request.query, 'favourite', ['', 'true'], ''),
  };
  const list = await request.call.library.pastes({ ...asked, favourite: asked.favourite !== '' });
  return page(<PastesPage site={request.site} list={list} filter={asked} />);
}

/** The page of a paste, or of what is needed to open it. Opening this page never deletes it. */
export async function showPaste(request: PageRequest, uniqueId: string): Promise<PageAnswer> {
  const { site } = request;
  const action = itemPath('paste', uniqueId);
  const meta = closedPreview(site.origin + action, site);
  try {
    const password = unlockedWith(request, action);
    const paste = await request.call.paste.get({ uniqueId, password });
    await noteOpened(request, 'paste', uniqueId);
    return page(await view(request, paste, false), pageStatus(pasteLifetime(paste)));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === 'CONFIRM_BURN') return page(<BurnPage site={site} action={action} meta={meta} />);
    if (reason === 'PRIVATE') return page(<PrivatePage site={site} meta={meta} />);
    if (reason !== 'PASSWORD_REQUIRED' && reason !== 'PASSWORD_WRONG') throw error;
    return page(askPassword(request, 'paste', action));
  }
}

/** Opens a paste with its password, or deletes one that can only be read once while showing it. */
async function readPaste(request: PageRequest): Promise<PageAnswer> {
  const uniqueId = request.params.id ?? '';
  const path = itemPath('paste', uniqueId);
  const password = request.body.string('password');
  return openByPassword(request, 'paste', path, async () => {
    const paste = await request.call.paste.confirm({ uniqueId, password });
    if (!paste.burn) await noteOpened(request, 'paste', uniqueId);
    if (paste.requiresPassword && !paste.burn && !manages(request.site.viewer, paste.uploader))
      keepUnlocked(request, path, password);
    return page(await view(request, paste, paste.burn));
  });
}

async function createPaste(request: PageRequest): Promise<PageAnswer> {
  const { call, body, text } = request;
  refuseUnsealed(body);
  const written = body.string('text');
  const sent = text?.content ?? '';
  if (written !== '' && sent !== '') fail('INVALID', 'text: Enter text or choose a file, not both');
  const content = sent || written;
  // Shown at the field, and it says what else the form accepts.
  if (content === '') fail('INVALID', 'text: Enter some text, or choose a file that is not empty');
  const more = filesIn(body.typed());
  const title = body.string('title').trim();
  const first = { name: text?.name ?? (title || 'file.txt'), text: content, language: body.text('language') };
  const paste = await call.paste.create({
    ...(more.length === 0 ? { text: content } : { files: [first, ...more] }),
    title,
    fileName: text?.name,
    private: body.boolean('private'),
    password: body.text('password'),
    expiresAt: expiryOf(body),
    language: body.text('language'),
    burn: body.boolean('burn'),
    tags: body.list('tags'),
  });
  return paste.burn
    ? page(await view(request, paste, false))
    : goTo(`${itemPath('paste', paste.uniqueId)}?done=created`);
}

async function view(request: PageRequest, paste: PasteRecord, burned: boolean) {
  const { site } = request;
  // The address of one that burns cannot be opened again, neither for another form nor for another file.
  const files = paste.burn ? allFiles(paste) : [shownFile(request, paste, itemPath('paste', paste.uniqueId))];
  const show = paste.burn ? sourceOf : showText;
  const texts = await Promise.all(
    files.map(async (file) => ({
      file,
      text: await show(request, file.content, file.language, file.name ?? paste.title, 'prose'),
    })),
  );
  return (
    <PastePage
      site={site}
      paste={paste}
      texts={texts}
      meta={pastePreview(paste, site)}
      mayManage={manages(site.viewer, paste.uploader)}
      burned={burned}
    />
  );
}
