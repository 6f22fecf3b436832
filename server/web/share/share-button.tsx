import type { SharedKind } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { sharePath } from '../address.js';
import { LinkButton } from '../components/button.js';

/** Leads to the share links of something; with scripts they open above the page. */
export const ShareButton = ({ kind, uniqueId }: { readonly kind: SharedKind; readonly uniqueId: string }) => (
  <LinkButton href={sharePath(kind, uniqueId)} icon="link" dialog>
    {t('Share links')}
  </LinkButton>
);
