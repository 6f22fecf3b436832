import type { SharedKind } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { collectionEditorPath, itemPath, sharePath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { untouched } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import type { FormPageProps } from '../page-props.js';
import type { ShareLinkRecord } from '../records.js';
import { ShareLinks } from './share-links.js';

/** The share links of an item or a collection, for its owner. */
export function SharePage({
  site,
  kind,
  uniqueId,
  name,
  smaller,
  sends,
  links,
  state = untouched,
}: FormPageProps<{
  readonly kind: SharedKind;
  readonly uniqueId: string;
  readonly name: string;
  readonly smaller: boolean;
  readonly sends: boolean;
  readonly links: readonly ShareLinkRecord[];
}>) {
  const back = kind === 'collection' ? collectionEditorPath(uniqueId) : itemPath(kind, uniqueId);
  return (
    <Page site={site} title={t('Share {name}', { name })}>
      <Heading title={name} lead={t('Share links')}>
        <LinkButton href={back} icon="back">
          {t('Back')}
        </LinkButton>
      </Heading>
      <div data-dialog-part>
        <ShareLinks
          path={sharePath(kind, uniqueId)}
          links={links}
          smaller={smaller}
          sends={sends}
          state={state}
        />
      </div>
    </Page>
  );
}
