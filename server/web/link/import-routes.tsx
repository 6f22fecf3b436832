import { untouched } from '../components/form/form.js';
import { creatorOnly } from '../gate/creator-only.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { LinkImportPage } from './import-page.js';

/** The page on which a signed-in user stores many links at once. */
export const linkImportPages = [
  getPage(
    '/url-import',
    creatorOnly((request) => {
      requireViewer(request);
      return page(<LinkImportPage site={request.site} />);
    }),
  ),
  postForm('/url-import', importLinks, 'text'),
];

async function importLinks(request: PageRequest): Promise<PageAnswer> {
  const { site, call, body } = request;
  requireViewer(request);
  const text = body.string('text');
  const dryRun = body.text('action') === 'check';
  return orShowAgain(
    request,
    async () => {
      const result = await call.url.import({ text, dryRun });
      if (!dryRun) return goTo('/web/links?done=imported');
      const state = { ...untouched, values: { text } };
      return page(<LinkImportPage site={site} state={state} checked={result} />);
    },
    (state) => <LinkImportPage site={site} state={state} />,
  );
}
