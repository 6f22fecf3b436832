import { fail } from '../../../routers/errors.js';
import { orAgain } from '../refusal.js';
import { type PageAnswer, type PageRequest, page, show, take } from '../request.js';
import { UploadedPage, UploadPage } from '../views/upload.js';
import { expiryOf } from './lifetime.js';

/** The upload page, and what its form does where scripts do not run. */
export const uploadPages = [
  show('/image-upload', async ({ site }) => page(<UploadPage site={site} />)),
  take('/image-upload', upload, 'file'),
];

async function upload({ site, call, body, file }: PageRequest): Promise<PageAnswer> {
  return orAgain(
    body,
    async () => {
      const image = await call.image.upload({
        file: file ?? fail('FILE_MISSING'),
        uniqueId: body.nullable('uniqueId'),
        private: body.boolean('private'),
        password: body.nullable('password'),
        desc: body.nullable('desc'),
        source: 'WEB',
        expiresAt: expiryOf(body),
        maxViews: body.number('maxViews'),
      });
      return page(<UploadedPage site={site} image={image} />);
    },
    (state) => <UploadPage site={site} state={state} />,
  );
}
