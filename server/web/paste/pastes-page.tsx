import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, editPath, itemPath, listPath, viewsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import { AccessSigns, MenuCopy, MenuLink, type Row } from '../components/list/rows.js';
import { Time } from '../components/parts.js';
import { FavouriteEntry } from '../edit/favourite.js';
import type { PageProps } from '../page-props.js';
import type { Paged, PasteRecord } from '../records.js';
import { languageName } from './languages.js';

const rowOf = (paste: PasteRecord, back: string): Row => ({
  name: paste.title,
  href: itemPath('paste', paste.uniqueId),
  signs: <AccessSigns {...paste} />,
  line: [
    <Time key="at" at={paste.createdAt} />,
    paste.language && languageName(paste.language),
    paste.burn
      ? t('Read once')
      : t('{views, plural, one {# view} other {# views}}', { views: paste.views ?? 0 }),
    paste.tags.join(', '),
  ],
  actions: (
    <CopyButton
      look="quiet"
      text={paste.urlSet.shortUrl}
      label={t('Copy {shortUrl}', { shortUrl: paste.urlSet.shortUrl })}
    />
  ),
  menu: (
    <>
      <MenuCopy text={paste.urlSet.shortUrl}>{t('Copy link')}</MenuCopy>
      <FavouriteEntry kind="paste" uniqueId={paste.uniqueId} favourite={paste.favourite} back={back} />
      <MenuLink href={viewsPath('paste', paste.uniqueId)} icon="chart">
        {t('Views')}
      </MenuLink>
      <MenuLink href={editPath('paste', paste.uniqueId)} icon="pen">
        {t('Edit')}
      </MenuLink>
      <MenuLink href={deletePath('paste', paste.uniqueId)} icon="trash">
        {t('Delete')}
      </MenuLink>
    </>
  ),
});

/** All pastes of a user. */
export function PastesPage({
  site,
  list,
  filter: { search, favourite },
}: PageProps<{
  readonly list: Paged<PasteRecord>;
  readonly filter: { readonly search: string; readonly favourite: '' | 'true' };
}>) {
  const back = listPath('/web/pastes', { search, favourite, page: list.page });
  return (
    <ListPage
      site={site}
      path="/web/pastes"
      title={t('Pastes')}
      lead={orMore(list, t('{total, plural, one {# paste} other {# pastes}}', { total: list.total }))}
      list={list}
      filter={{ search, favourite }}
      searchLabel={t('Search titles and text')}
      empty={{ icon: 'scroll', title: noneOr(`${search}${favourite}`, t('No pastes yet')) }}
      choices={<Check name="favourite" label={t('Favourites only')} checked={favourite !== ''} />}
      row={(paste) => rowOf(paste, back)}
      rowKey={(paste) => paste.uniqueId}
      pick={(paste) => ({ id: paste.uniqueId, name: paste.title })}
      width="wide"
      actions={
        <LinkButton href="/web/paste-create" look="primary" icon="plus">
          {t('New paste')}
        </LinkButton>
      }
    />
  );
}
