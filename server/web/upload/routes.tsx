import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/errors.js';
import { allowUpload } from '../../../routers/image/allowance.js';
import { playlistPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { creatorOnly } from '../gate/creator-only.js';
import { orShowAgain, withoutFile } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile, postForm } from '../request.js';
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
  postFile('/image-upload', upload, allowUpload, 'image.upload'),
  getPage(
    FROM_URL_PATH,
    creatorOnly(async (request) => page(await fromUrl(request))),
  ),
  postForm(FROM_URL_PATH, fetchFile),
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
  const { site, call, body } = request;
  return orShowAgain(
    { site, body },
    async () => {
      const image = await call.upload.fromUrl({
        ...optionsIn(body),
        url: body.string('url'),
        filename: body.text('filename'),
        uniqueId: body.text('uniqueId'),
      });
      return page(<UploadedPage site={site} image={image} />);
    },
    (state) => fromUrl(request, state),
  );
}

async function upload(request: PageRequest): Promise<PageAnswer> {
  const { site, call, body, file } = request;
  return orShowAgain(
    { site, body },
    async () => {
      const fields = { file: file ?? fail('FILE_MISSING'), ...optionsIn(body) };
      if (body.boolean('unpack') === true) {
        const { playlist } = await call.playlist.upload(fields);
        return goTo(playlistPath(playlist.uniqueId));
      }
      const image = await call.image.upload({ ...fields, uniqueId: body.text('uniqueId') });
      return page(<UploadedPage site={site} image={image} />);
    },
    (state) => form(request, file === null ? state : withoutFile(state)),
  );
}

/** The form for a web address, with what is left for its viewer. */
async function fromUrl({ site, call }: PageRequest, state?: FormState) {
  const limits = site.viewer === null ? null : await call.limits.mine();
  return <FromUrlPage site={site} limits={limits} state={state} />;
}

/** The form, with what is left for its viewer. */
async function form({ site, call }: PageRequest, state?: FormState) {
  const limits = site.viewer === null ? null : await call.limits.mine();
  return <UploadPage site={site} limits={limits} state={state} />;
}
