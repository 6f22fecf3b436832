import { readsForPreview } from '../../../routers/features/stats/user-agent.js';
import { PreviewedPage } from '../gate/gate-pages.js';
import { closedPreview } from '../preview.js';
import { type PageAnswer, type PageRequest, page } from '../request.js';

type Show = (request: PageRequest) => Promise<PageAnswer>;

/**
 * Shows what a secret opens, but to the servers of chat applications, which read a link in order to preview it, only that there
 * is something: what it is and is called is for whoever follows the link, and the preview uses none of its views.
 */
export const unlessPreviewed =
  (show: Show): Show =>
  async (request) => {
    if (!readsForPreview(request.ctx.userAgent)) return show(request);
    const shown = await show({ ...request, method: 'HEAD' });
    if (shown.as !== 'page' || shown.status !== 200) return shown;
    const { site } = request;
    return page(<PreviewedPage site={site} meta={closedPreview(site.origin + site.path, site)} />);
  };
