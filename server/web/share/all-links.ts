import type { SharedKind } from '../../../routers/base/kinds.js';
import type { ShareLinkRecord } from '../records.js';
import type { PageRequest } from '../request.js';

/** All share links of something of the viewer, newest first; it has few. */
export async function allLinks(
  call: Pick<PageRequest['call'], SharedKind>,
  kind: SharedKind,
  uniqueId: string,
): Promise<ShareLinkRecord[]> {
  const links: ShareLinkRecord[] = [];
  for (let page = 0; ; page += 1) {
    const { content, totalPages } = await call[kind].links({ uniqueId, page, size: 100 });
    links.push(...content);
    if (page + 1 >= totalPages) return links;
  }
}
