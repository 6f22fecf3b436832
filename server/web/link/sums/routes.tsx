import { cutText } from '../../../../routers/base/text/cut.js';
import { getPage, page } from '../../request.js';
import { requireViewer } from '../../viewer.js';
import { rangeOf } from '../../visits/range.js';
import { MAX_TAG } from '../asked.js';
import { hostsOf } from '../hosts.js';
import { MAX_TAGS } from '../list-routes.js';
import { SumsPage } from './sums-page.js';

/** The visits of many links of the viewer together. */
export const sumPages = [
  getPage('/link-sums', async (request) => {
    requireViewer(request);
    const { query, call, site, ctx } = request;
    const { from, to } = rangeOf(query);
    const filter = {
      tag: cutText(query.string('tag').trim(), MAX_TAG),
      domain: cutText(query.string('domain').trim(), 260),
      ...{ from, to },
    };
    const [sums, tags, hosts] = await Promise.all([
      call.stats.links({ from, to, tag: filter.tag || null, domain: filter.domain || null }),
      call.url.tags(),
      hostsOf(call),
    ]);
    const own = new URL(ctx.app.settings.shortUrls.url ?? ctx.app.settings.origin).host;
    return page(
      <SumsPage
        site={site}
        filter={filter}
        sums={sums}
        tags={tags.slice(0, MAX_TAGS).map(({ tag }) => tag)}
        hosts={[own, ...hosts]}
      />,
    );
  }),
];
