import { fail } from '../../../routers/errors.js';
import { allowUpload } from '../../../routers/image/allowance.js';
import { playlistPath } from '../address.js';
import { creatorOnly } from '../gate/creator-only.js';
import { orShowAgain, withoutFile } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postFile } from '../request.js';
import { expiryOf } from './lifetime.js';
import { UploadedPage, UploadPage } from './upload-page.js';

/** The upload page and its form for browsers without scripts. */
export const uploadPages = [
  getPage(
    '/image-upload',
    creatorOnly(({ site }) => page(<UploadPage site={site} />)),
  ),
  postFile('/image-upload', upload, allowUpload),
];

async function upload({ site, call, body, file }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    body,
    async () => {
      const fields = {
        file: file ?? fail('FILE_MISSING'),
        private: body.boolean('private'),
        password: body.text('password'),
        desc: body.text('desc'),
        source: 'WEB',
        expiresAt: expiryOf(body),
        maxViews: body.number('maxViews'),
      };
      if (body.boolean('unpack') === true) {
        const { playlist } = await call.playlist.upload(fields);
        return goTo(playlistPath(playlist.uniqueId));
      }
      const image = await call.image.upload({ ...fields, uniqueId: body.text('uniqueId') });
      return page(<UploadedPage site={site} image={image} />);
    },
    (state) => <UploadPage site={site} state={file === null ? state : withoutFile(state)} />,
  );
}
