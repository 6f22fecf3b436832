import type { SharedKind } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { sharePath } from '../address.js';
import { LinkButton } from '../components/button.js';

/** Leads to the share links of something; with scripts they open above the page. */
export const ShareButton = ({
  kind,
  uniqueId,
  look,
}: {
  readonly kind: SharedKind;
  readonly uniqueId: string;
  readonly look?: 'quiet';
}) => (
  <LinkButton href={sharePath(kind, uniqueId)} icon="link" dialog {...(look && { look })}>
    {t('Share links')}
  </LinkButton>
);
