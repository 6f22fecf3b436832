import { msg } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import type { Policy } from '../../../routers/core/branding/fields.js';

/** The page and the name of each policy. */
export const POLICY_PAGES: Readonly<Record<Policy, { readonly path: string; readonly title: Message }>> = {
  privacy: { path: '/web/privacy', title: msg('Privacy') },
  imprint: { path: '/web/imprint', title: msg('Imprint') },
};

/** The logo as a picture that every browser can show, about this wide. */
export const logoPath = (uniqueId: string, width: number): string =>
  `/v1/image/get/${encodeURIComponent(uniqueId)}?width=${width}&format=png`;
