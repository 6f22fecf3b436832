import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { rangeOf } from './range.js';
import { statisticsOf } from './statistics.js';
import { type ViewedItem, ViewsPage } from './views-page.js';

/** The pages of the views of a file or a paste. */
export const viewPages = [
  getPage('/views/image/{id}', (request) => showViews(request, imageOf)),
  getPage('/views/paste/{id}', (request) => showViews(request, pasteOf)),
];

async function showViews(
  request: PageRequest,
  find: (call: PageRequest['call'], uniqueId: string) => Promise<ViewedItem>,
): Promise<PageAnswer> {
  const { call, params, query, site } = request;
  const item = await find(call, params.id ?? '');
  const { uniqueId } = item;
  const range = rangeOf(query);
  const counted = call.stats[item.kind];
  const [shown, ever] = await Promise.all([
    counted({ uniqueId, fromDate: range.from, toDate: range.to }),
    counted({ uniqueId }),
  ]);
  const statistics = statisticsOf(request, range, shown);
  return page(<ViewsPage site={site} item={item} statistics={statistics} total={ever.visits} />);
}

async function imageOf({ image }: PageRequest['call'], uniqueId: string): Promise<ViewedItem> {
  const { originalName, description, expiresAt, maxViews } = await image.info({ uniqueId });
  return { kind: 'image', uniqueId, title: originalName ?? description ?? uniqueId, expiresAt, maxViews };
}

async function pasteOf({ paste }: PageRequest['call'], uniqueId: string): Promise<ViewedItem> {
  const { title, expiresAt } = await paste.get({ uniqueId });
  return { kind: 'paste', uniqueId, title, expiresAt, maxViews: null };
}
