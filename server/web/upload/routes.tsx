import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/base/errors.js';
import { translating } from '../../../routers/base/language/i18n.js';
import { allowUpload } from '../../../routers/features/image/allowance.js';
import { reasonIn } from '../../../routers/features/upload/reason.js';
import { collectionPath } from '../address.js';
import { offeredCollections } from '../collection/offered.js';
import type { FormState } from '../components/form/form.js';
import { creatorOnly } from '../gate/creator-only.js';
import { again, type Sent, sentIn, withValues } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile, postForm } from '../request.js';
import { ownRecipient, refuseUnsealed } from '../sealed/sealed-choice.js';
import { FetchingPage, partOf, progressText } from './fetching-page.js';
import { FromUrlPage } from './from-url-page.js';
import { expiryOf } from './lifetime.js';
import { FROM_URL_PATH } from './upload-options.js';
import { UploadedPage, UploadPage } from './upload-page.js';

/** The upload page and its form for browsers without scripts. */
export const uploadPages = [
  getPage(
    '/image-upload',
    creatorOnly(async (request) => page(await form(request))),
  ),
  postFile('/image-upload', again(form, upload), allowUpload, 'image.upload'),
  getPage(
    FROM_URL_PATH,
    creatorOnly(async (request) => page(await fromUrl(request))),
  ),
  postForm(FROM_URL_PATH, again(fromUrl, fetchFile)),
  getPage(`${FROM_URL_PATH}/{secret}`, showFetching, true),
  postForm(`${FROM_URL_PATH}/{secret}`, cancelFetching),
];

/** The options that both forms have. */
const optionsIn = (body: Fields) => ({
  private: body.boolean('private'),
  password: body.text('password'),
  desc: body.text('desc'),
  source: 'WEB',
  expiresAt: expiryOf(body),
  maxViews: body.number('maxViews'),
  tags: body.list('tags'),
});

async function fetchFile(request: PageRequest): Promise<PageAnswer> {
  const { call, body } = request;
  const { secret } = await call.upload.startFetching({
    ...optionsIn(body),
    url: body.string('url'),
    filename: body.text('filename'),
    uniqueId: body.text('uniqueId'),
    form: JSON.stringify(sentIn(body)),
  });
  return goTo(`/web${FROM_URL_PATH}/${secret}`);
}

/**
 * How far a file is that the server fetches: 202 as long as it is on its way, as JSON for the script of the page; then
 * the file, or the form with what went wrong.
 */
async function showFetching(request: PageRequest): Promise<PageAnswer> {
  const { site, call, params } = request;
  const { secret = '' } = params;
  const { image, why, form, ...progress } = await call.upload.fetching({ secret });
  const isEnded = progress.state === 'done' || progress.state === 'failed';
  if (request.header('accept') === 'application/json') {
    const body = {
      text: translating(site.i18n, () => progressText(progress)),
      part: partOf(progress),
    };
    return { as: 'json', status: isEnded ? 200 : 202, body };
  }
  if (!isEnded) return page(<FetchingPage site={site} secret={secret} progress={progress} />, 202);
  if (progress.state === 'done') return page(<UploadedPage site={site} image={image ?? fail('NOT_FOUND')} />);
  const sent = form === null ? { lists: {}, lost: [] } : (JSON.parse(form) as Sent);
  const message = why === null ? null : site.i18n.translate(reasonIn(why));
  return page(await fromUrl(request, { ...withValues(sent), problem: message, errors: {} }));
}

/** Ends a transfer; one that is over shows what became of it. */
async function cancelFetching({ call, params }: PageRequest): Promise<PageAnswer> {
  const { secret = '' } = params;
  const { state } = await call.upload.fetching({ secret });
  if (state !== 'receiving') return goTo(`/web${FROM_URL_PATH}/${secret}`);
  await call.upload.end({ secret });
  return goTo(`/web${FROM_URL_PATH}?done=cancelled`);
}

async function upload({ site, call, body, file }: PageRequest): Promise<PageAnswer> {
  refuseUnsealed(body);
  const fields = { file: file ?? fail('FILE_MISSING'), ...optionsIn(body) };
  if (body.boolean('unpack') === true) {
    const { playlist } = await call.playlist.upload(fields);
    return goTo(collectionPath(playlist.uniqueId));
  }
  const image = await call.image.upload({ ...fields, uniqueId: body.text('uniqueId') });
  const into = body.string('collection');
  if (into !== '') await call.collection.addItems({ uniqueId: into, items: [{ uniqueId: image.uniqueId }] });
  return page(<UploadedPage site={site} image={image} />);
}

/** The form for a web address, with what is left for its viewer. */
async function fromUrl({ site, call }: PageRequest, state?: FormState) {
  const limits = site.viewer === null ? null : await call.limits.mine();
  return <FromUrlPage site={site} limits={limits} state={state} />;
}

/** The form, with what is left for its viewer. */
async function form(request: PageRequest, state?: FormState) {
  const { site, call, query } = request;
  const isKnown = site.viewer !== null;
  const into = isKnown ? query.string('collection') : '';
  const [limits, collections, recipient] = await Promise.all([
    isKnown ? call.limits.mine() : null,
    isKnown ? offeredCollections(request, into) : [],
    ownRecipient(request),
  ]);
  return <UploadPage {...{ site, limits, collections, into, recipient, state }} />;
}
