import type { ShareLinkRecord } from '../records.js';
import type { PageRequest } from '../request.js';

/** All share links of a collection of the viewer, newest first; a collection has few. */
export async function allLinks(
  call: Pick<PageRequest['call'], 'collection'>,
  uniqueId: string,
): Promise<ShareLinkRecord[]> {
  const links: ShareLinkRecord[] = [];
  for (let page = 0; ; page += 1) {
    const { content, totalPages } = await call.collection.links({ uniqueId, page, size: 100 });
    links.push(...content);
    if (page + 1 >= totalPages) return links;
  }
}
