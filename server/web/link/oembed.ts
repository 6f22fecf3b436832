import { linkTitle } from '../preview.js';
import type { PageRequest } from '../request.js';
import { type OEmbed, wordsOEmbed } from '../site/oembed.js';

/** oEmbed of the page of a link; null for one that is not public. */
export async function embedLink({ call, site }: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  const link = await call.url.get({ uniqueId });
  const title = linkTitle(link, site.i18n);
  return title === null ? null : wordsOEmbed(title, link.uploader.username, site);
}
