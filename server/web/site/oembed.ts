import type { Site } from '../site.js';

/** The oEmbed answer of a page (https://oembed.com), from the same record as its preview. */
export interface OEmbed {
  readonly version: '1.0';
  readonly type: 'photo' | 'video' | 'link';
  readonly provider_name: string;
  readonly provider_url: string;
  readonly title: string;
  readonly author_name?: string;
  readonly author_url?: string;
  readonly url?: string;
  readonly width?: number;
  readonly height?: number;
}

/** oEmbed of a sealed item: that it is one, and nothing else. */
export const sealedOEmbed = ({
  origin,
  branding,
  i18n,
}: Pick<Site, 'origin' | 'branding' | 'i18n'>): OEmbed => ({
  version: '1.0',
  type: 'link',
  provider_name: branding.name,
  provider_url: origin,
  title: i18n.t('A sealed item'),
});

/** oEmbed of a paste, link or playlist page: text only. */
export function wordsOEmbed(
  title: string,
  author: string,
  { origin, branding }: Pick<Site, 'origin' | 'branding'>,
): OEmbed {
  return {
    version: '1.0',
    type: 'link',
    provider_name: branding.name,
    provider_url: origin,
    title,
    author_name: author,
  };
}
