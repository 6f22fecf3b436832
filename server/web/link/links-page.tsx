import { msg, t } from '../../../routers/base/language/i18n.js';
import { deletePath, editPath, listPath, visitsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Check, optionsOf } from '../components/form/choices.js';
import { Icon } from '../components/icon.js';
import { Choice, TagChoice } from '../components/list/filter.js';
import { ListPage, noneOr } from '../components/list/list-page.js';
import { orMore } from '../components/list/pager.js';
import { AccessSigns, MenuCopy, MenuLink, type Row } from '../components/list/rows.js';
import { Menu } from '../components/menu.js';
import { Sign, Time } from '../components/parts.js';
import { FavouriteEntry } from '../edit/favourite.js';
import { bareUrl } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, ShortUrlRecord } from '../records.js';
import { mayMake } from '../site.js';
import type { linkFilterOf } from './asked.js';
import { SUMS_PATH } from './sums/sums-page.js';
import { shownId, uses } from './uses.js';

const healths = [
  ['', msg('All targets')],
  ['broken', msg('Broken targets')],
  ['ok', msg('Targets that answer')],
  ['unknown', msg('Targets not looked at')],
] as const;

const sorts = [
  ['newest', msg('Newest first')],
  ['oldest', msg('Oldest first')],
  ['views', msg('Most visited first')],
  ['name', msg('By name')],
] as const;

const rowOf = (link: ShortUrlRecord, back: string): Row => ({
  name: shownId(link),
  href: visitsPath(link.fullId),
  signs: (
    <>
      <AccessSigns {...link} />
      {link.health === 'broken' && <Sign icon="warning" says={t('Its target does not answer')} />}
    </>
  ),
  line: [
    <span key="to" title={link.originalUrl ?? undefined}>
      {link.originalUrl && bareUrl(link.originalUrl)}
    </span>,
    <Time key="at" at={link.createdAt} />,
  ],
  actions: (
    <>
      <CopyButton
        look="quiet"
        text={link.urlSet.shortUrl}
        label={t('Copy {shortUrl}', { shortUrl: link.urlSet.shortUrl })}
      />
      <a class="button quiet stays number" href={visitsPath(link.fullId)} aria-label={visitsOf(link)}>
        <Icon name="chart" />
        {uses(link)}
      </a>
    </>
  ),
  menu: (
    <>
      <MenuCopy text={link.urlSet.shortUrl}>{t('Copy link')}</MenuCopy>
      <FavouriteEntry kind="url" uniqueId={link.fullId} favourite={link.favourite} back={back} />
      <MenuLink href={editPath('url', link.fullId)} icon="pen">
        {t('Edit')}
      </MenuLink>
      <MenuLink href={deletePath('url', link.fullId)} icon="trash">
        {t('Delete')}
      </MenuLink>
    </>
  ),
});

const visitsOf = ({ visits }: ShortUrlRecord): string =>
  t('{visits, plural, one {# visit} other {# visits}}', { visits });

/** All short links of a user. */
export function LinksPage({
  site,
  list,
  filter,
  tags,
}: PageProps<{
  readonly list: Paged<ShortUrlRecord>;
  readonly filter: ReturnType<typeof linkFilterOf>;
  readonly tags: readonly string[];
}>) {
  const narrowed = { ...filter, sort: filter.sort === 'newest' ? '' : filter.sort };
  const back = listPath('/web/links', { ...narrowed, page: list.page });
  return (
    <ListPage
      site={site}
      path="/web/links"
      title={t('Links')}
      lead={orMore(list, t('{total, plural, one {# link} other {# links}}', { total: list.total }))}
      list={list}
      filter={narrowed}
      searchLabel={t('Search IDs and URLs')}
      empty={{
        icon: 'link',
        title: noneOr(`${filter.search}${filter.tag}${filter.health}${filter.favourite}`, t('No links yet')),
      }}
      row={(link) => rowOf(link, back)}
      choices={
        <>
          <TagChoice tags={tags} tag={filter.tag} />
          <Choice name="health" label={t('Targets')} value={filter.health} options={optionsOf(healths)} />
          <Choice name="sort" label={t('Sort by')} value={filter.sort} options={optionsOf(sorts)} />
          <Check name="favourite" label={t('Favourites only')} checked={filter.favourite !== ''} />
        </>
      }
      rowKey={(link) => link.fullId}
      pick={(link) => ({ id: link.fullId, name: shownId(link) })}
      width="wide"
      actions={
        <>
          <LinkButton href="/web/url-create" look="primary" icon="plus">
            {t('New link')}
          </LinkButton>
          <Menu look="button plain" name={t('More')} label={<Icon name="dots" />}>
            <ul>
              {site.viewer !== null && mayMake(site.viewer) && (
                <MenuLink href="/web/url-import" icon="upload">
                  {t('Import')}
                </MenuLink>
              )}
              <MenuLink href={SUMS_PATH} icon="chart">
                {t('Visits of all links')}
              </MenuLink>
              <MenuLink href="/v1/url/export?format=csv" icon="download">
                {t('Export')}
              </MenuLink>
            </ul>
          </Menu>
        </>
      }
    />
  );
}
