import { t } from '../../../routers/base/language/i18n.js';
import { collectionEditorPath, collectionPath, SHARED_WITH_ME } from '../address.js';
import { Submit } from '../components/button.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Empty } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, SharedCollection } from '../records.js';
import { roleName } from './members.js';

/** Collections of others that are shared with the viewer, or offered. */
export function SharedWithMePage({ site, list }: PageProps<{ readonly list: Paged<SharedCollection> }>) {
  return (
    <Page site={site} title={t('Shared with me')}>
      <Heading
        title={t('Shared with me')}
        lead={t('Collections of others that you may look at, add to or edit. Your files stay yours.')}
      />
      {list.total === 0 && <Empty icon="album" title={t('Nobody shares a collection with you')} />}
      <ul class="rows">
        {list.items.map((entry) => (
          <Shared key={entry.uniqueId} entry={entry} />
        ))}
      </ul>
      <Pager list={list} href={(page) => `${SHARED_WITH_ME}?page=${page}`} />
    </Page>
  );
}

/** Who only looks at it, or is offered it, does not edit it. */
const pathOf = ({ uniqueId, role }: SharedCollection): string =>
  role === 'adder' || role === 'editor' ? collectionEditorPath(uniqueId) : collectionPath(uniqueId);

function Shared({ entry }: { readonly entry: SharedCollection }) {
  const { uniqueId, owner, role, offered } = entry;
  const name = entry.title || t('A sealed collection');
  return (
    <li>
      <span class="what">
        {role === null ? (
          <strong dir="auto">{name}</strong>
        ) : (
          <a href={pathOf(entry)} dir="auto">
            {name}
          </a>
        )}{' '}
        {role !== null && <Badge>{roleName(role)}</Badge>}
        {offered && <Badge look="warn">{t('offered to you')}</Badge>}
        <br />
        <span class="hint">
          {[
            owner.username,
            t('{totalFiles, plural, one {# file} other {# files}}', { totalFiles: entry.totalFiles }),
            fileSize(entry.totalSize),
          ].join(' · ')}
        </span>
      </span>
      <form class="actions" method="post" action={SHARED_WITH_ME}>
        <input type="hidden" name="id" value={uniqueId} />
        {offered && (
          <>
            <Submit look="primary" name="action" value="accept">
              {t('Become its owner')}
            </Submit>
            <Submit look="quiet" name="action" value="decline">
              {t('Decline')}
            </Submit>
          </>
        )}
        {role !== null && (
          <Submit look="quiet" name="action" value="leave">
            {t('Leave')}
          </Submit>
        )}
      </form>
    </li>
  );
}
