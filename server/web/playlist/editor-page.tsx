import { t } from '../../../routers/base/language/i18n.js';
import { editorPath, entryAnchor, itemPath, libraryInto, listPath, playlistPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Field } from '../components/form/field.js';
import { bind, Form, stateOf, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { thumbnailOf } from '../components/item/media.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card } from '../components/parts.js';
import { whetherRestorable } from '../format.js';
import { placeholderUrl } from '../image/placeholder.js';
import { HiddenNotice } from '../moderation/hidden-notice.js';
import type { FormPageProps } from '../page-props.js';
import type { ListedImage, Paged, PlaylistRecord } from '../records.js';
import { Words } from './words.js';

/** Edits a playlist: title, description, items and their order. */
export function PlaylistEditPage({
  site,
  playlist,
  list,
  trashDays,
  state = untouched,
}: FormPageProps<{
  readonly playlist: PlaylistRecord;
  /** The items on this page. */
  readonly list: Paged<ListedImage>;
  readonly trashDays: number;
}>) {
  const path = listPath(editorPath(playlist.uniqueId), { page: list.page });
  const before = list.page * list.pageSize;
  const items = stateOf(state, 'add', 'top', 'up', 'down', 'cover', 'remove');
  const words = items === untouched ? state : untouched;
  const { field } = bind(stateOf(state, 'add'));
  return (
    <Page site={site} title={t('Edit {title}', { title: playlist.title })} scripts={['order']}>
      <Heading
        title={playlist.title}
        lead={`${t('{count, plural, one {# item} other {# items}}', { count: list.total })} · ${t('{views, plural, one {# view} other {# views}}', { views: playlist.views })}`}
      >
        <LinkButton href={playlistPath(playlist.uniqueId)} icon="eye">
          {t('View')}
        </LinkButton>
      </Heading>
      <HiddenNotice reason={playlist.quarantine} />
      <Card title={t('Title and description')}>
        <Form action={path} state={words}>
          <Words state={words} stored={playlist} />
          <Submit look="plain" name="action" value="words">
            {t('Save')}
          </Submit>
        </Form>
      </Card>
      <Card title={t('Items')}>
        <LinkButton href={libraryInto(playlist.uniqueId)} icon="plus">
          {t('Choose from the library')}
        </LinkButton>
        <ol class="rows ordered" data-order data-before={before} data-total={list.total}>
          {list.items.map((image, index) => (
            <Entry
              key={image.uniqueId}
              image={image}
              path={path}
              cover={image.uniqueId === playlist.cover}
              first={before + index === 0}
              last={before + index === list.total - 1}
              beside={(list.items[index + 1] ?? list.items[index - 1])?.uniqueId ?? ''}
            />
          ))}
        </ol>
        <Pager
          list={list}
          href={(page) => listPath(editorPath(playlist.uniqueId), { page })}
          newestFirst={false}
        />
        <Form action={path} state={items}>
          <Field
            {...field('id')}
            label={t('Add by ID')}
            hint={t('It is in the address of the item.')}
            maxLength={64}
            required
            spellcheck={false}
          />
          <Submit look="plain" icon="plus" name="action" value="add">
            {t('Add')}
          </Submit>
        </Form>
      </Card>
      <Ask
        action={path}
        value="delete"
        label={t('Delete the playlist')}
        lost={`${t('This deletes its title, order and link. The items stay in your library.')} ${whetherRestorable(trashDays)}`}
        sure={t('Yes, delete the playlist')}
      />
    </Page>
  );
}

function Entry({
  image,
  path,
  cover,
  first,
  last,
  beside,
}: {
  readonly image: ListedImage;
  readonly path: string;
  readonly cover: boolean;
  readonly first: boolean;
  readonly last: boolean;
  /** Its neighbour, which keeps the place once it is removed. */
  readonly beside: string;
}) {
  const name = image.originalName ?? image.uniqueId;
  const picture = thumbnailOf(image) ?? placeholderUrl(image.thumbhash);
  return (
    <li id={entryAnchor(image.uniqueId)}>
      <span class="what with-thumb">
        <span class="thumb">
          {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="file" />}
        </span>
        <a href={itemPath('image', image.uniqueId)} dir="auto">
          {name}
        </a>
        {cover && <Badge look="good">{t('Cover')}</Badge>}
      </span>
      <form class="actions" method="post" action={path}>
        <input type="hidden" name="id" value={image.uniqueId} />
        <input type="hidden" name="beside" value={beside} />
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="top"
          disabled={first}
          aria-label={t('Move {name} to the top', { name })}
          title={t('To the top')}
        >
          <Icon name="top" />
        </button>
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="up"
          disabled={first}
          aria-label={t('Move {name} up', { name })}
        >
          <Icon name="up" />
        </button>
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="down"
          disabled={last}
          aria-label={t('Move {name} down', { name })}
        >
          <Icon name="down" />
        </button>
        {!cover && (
          <button
            type="submit"
            class="button quiet"
            name="action"
            value="cover"
            aria-label={t('Make {name} the cover', { name })}
          >
            <Icon name="image" />
          </button>
        )}
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="remove"
          aria-label={t('Remove {name}', { name })}
        >
          <Icon name="x" />
        </button>
      </form>
    </li>
  );
}
