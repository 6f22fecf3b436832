import { t } from '../../../routers/base/language/i18n.js';
import { collectionEditorPath, collectionPath, listPath, SHARED_WITH_ME } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { thumbnailOf } from '../components/item/media.js';
import { Pager } from '../components/list/pager.js';
import { AccessSigns, Line, MenuCopy, MenuLink } from '../components/list/rows.js';
import { Menu } from '../components/menu.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Empty } from '../components/parts.js';
import { FavouriteEntry } from '../edit/favourite.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { ListedImage, Paged } from '../records.js';
import { mayMake } from '../site.js';

const PATH = '/web/collections';

interface CollectionEntry {
  readonly uniqueId: string;
  readonly title: string;
  readonly kind: 'collection' | 'playlist' | 'pack';
  readonly isPublic: boolean;
  readonly requiresPassword: boolean;
  readonly expiresAt: string | null;
  readonly favourite: boolean;
  readonly totalFiles: number;
  readonly totalSize: number;
  /** What stands for it. */
  readonly pictures?: readonly ListedImage[] | undefined;
}

/** The collections of a user, and a form for a new one. */
export function CollectionsPage({
  site,
  list,
  favourite,
  state = untouched,
}: FormPageProps<{
  readonly list: Paged<CollectionEntry>;
  /** Whether only those are shown that are marked. */
  readonly favourite: boolean;
}>) {
  const here = (page: number) => listPath(PATH, { favourite: favourite ? 'true' : '', page });
  const { field, box } = bind(state);
  return (
    <Page site={site} title={t('Collections')} width="wide" scripts={mayMake(site.viewer) ? ['seal'] : []}>
      <Heading
        title={t('Collections')}
        lead={t('Any files in folders under one link, with share links that you can revoke one by one.')}
      >
        <LinkButton href={SHARED_WITH_ME} icon="users">
          {t('Shared with me')}
        </LinkButton>
        {mayMake(site.viewer) && (
          <Menu
            look="button primary"
            open={state.problem !== null}
            label={
              <>
                <Icon name="plus" />
                {t('New collection')}
              </>
            }
          >
            <Form action={PATH} state={state} data={{ 'data-seal-form': 'collection' }}>
              <Field {...field('title')} label={t('Title')} maxLength={200} required />
              <TextArea {...field('description')} label={t('Description')} maxLength={2000} rows={2} />
              <Check
                {...box('private', true)}
                label={t('Only by share link')}
                hint={t('Its own address opens it for you and its members alone.')}
              />
              <div class="scripted">
                <Check
                  name="seal"
                  label={t('Sealed')}
                  hint={t('It has a key of its own, takes sealed files only, and its title is encrypted.')}
                />
              </div>
              <p class="problem" role="alert" data-problem hidden>
                <Icon name="warning" />
                <span />
              </p>
              <Submit icon="plus">{t('Create')}</Submit>
            </Form>
          </Menu>
        )}
      </Heading>
      <nav class="chips" aria-label={t('Filters')}>
        <a href={PATH} aria-current={favourite ? undefined : 'page'}>
          {t('All collections')}
        </a>
        <a href={`${PATH}?favourite=true`} aria-current={favourite ? 'page' : undefined}>
          {t('Favourites only')}
        </a>
      </nav>
      {list.total === 0 && (
        <Empty icon="album" title={favourite ? t('Nothing matches') : t('No collections yet')} />
      )}
      <ul class="albums">
        {list.items.map((entry) => (
          <Album key={entry.uniqueId} entry={entry} origin={site.origin} back={here(list.page)} />
        ))}
      </ul>
      <Pager list={list} href={here} />
    </Page>
  );
}

function Album({
  entry,
  origin,
  back,
}: {
  readonly entry: CollectionEntry;
  readonly origin: string;
  readonly back: string;
}) {
  const { uniqueId, pictures = [] } = entry;
  const title = entry.title || t('A sealed collection');
  const covers = pictures.flatMap((picture) => thumbnailOf(picture) ?? []);
  return (
    <li>
      <span class="cover">
        {covers.length === 0 && <Icon name={entry.kind === 'pack' ? 'archive' : 'album'} />}
        {covers.map((source) => (
          <img key={source} src={source} alt="" loading="lazy" />
        ))}
      </span>
      <div class="what">
        <p class="name">
          <a href={collectionEditorPath(uniqueId)} dir="auto" title={title}>
            {title}
          </a>
          <AccessSigns {...entry} />
          {entry.kind === 'pack' && <Badge>{t('file pack')}</Badge>}
        </p>
        <Line
          of={[
            t('{totalFiles, plural, one {# file} other {# files}}', { totalFiles: entry.totalFiles }),
            fileSize(entry.totalSize),
          ]}
        />
      </div>
      <Menu look="button quiet" name={t('More about {name}', { name: title })} label={<Icon name="dots" />}>
        <ul>
          <MenuLink href={collectionPath(uniqueId)} icon="eye">
            {t('View')}
          </MenuLink>
          <MenuCopy text={`${origin}${collectionPath(uniqueId)}`}>{t('Copy link')}</MenuCopy>
          <FavouriteEntry kind="collection" uniqueId={uniqueId} favourite={entry.favourite} back={back} />
          <MenuLink href={collectionEditorPath(uniqueId)} icon="pen">
            {t('Edit')}
          </MenuLink>
        </ul>
      </Menu>
    </li>
  );
}
