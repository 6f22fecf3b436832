import { DomainError } from '../../../routers/base/errors.js';
import type { PageRequest } from '../request.js';
import { type OEmbed, sealedOEmbed, wordsOEmbed } from '../site/oembed.js';
import { pasteName } from './name.js';

/** oEmbed of the page of a paste; null for one that is not public. */
export async function embedPaste({ call, site }: PageRequest, uniqueId: string): Promise<OEmbed | null> {
  try {
    const paste = await call.paste.get({ uniqueId });
    const open = paste.isPublic && !paste.requiresPassword;
    if (open && paste.sealed) return sealedOEmbed(site);
    return open ? wordsOEmbed(pasteName(paste, site.i18n), paste.uploader.username, site) : null;
  } catch (error) {
    if (error instanceof DomainError && error.status === 403) return null;
    throw error;
  }
}
