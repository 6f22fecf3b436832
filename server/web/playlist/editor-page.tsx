import { editorPath, entryAnchor, itemPath, playlistPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Field, TextArea } from '../components/form/field.js';
import { Form, stateOf, typed, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card } from '../components/parts.js';
import { plural } from '../format.js';
import { placeholderUrl } from '../image/placeholder.js';
import type { FormPageProps } from '../page-props.js';
import type { ListedImage, PlaylistRecord } from '../records.js';

/** Edits a playlist: title, description, items and their order. */
export function PlaylistEditPage({
  site,
  playlist,
  state = untouched,
}: FormPageProps<{
  readonly playlist: PlaylistRecord;
}>) {
  const path = editorPath(playlist.uniqueId);
  const items = stateOf(state, 'add', 'up', 'down', 'cover', 'remove');
  const words = items === untouched ? state : untouched;
  return (
    <Page site={site} title={`Edit ${playlist.title}`}>
      <Heading title={playlist.title} lead={plural(playlist.images.length, 'item')}>
        <LinkButton href={playlistPath(playlist.uniqueId)} icon="eye">
          View
        </LinkButton>
      </Heading>
      <Card title="Title and description">
        <Form action={path} state={words}>
          <Field
            name="title"
            label="Title"
            value={typed(words, 'title', playlist.title)}
            error={words.errors.title}
            maxLength={200}
            required
          />
          <TextArea
            name="description"
            label="Description"
            value={typed(words, 'description', playlist.description)}
            error={words.errors.description}
            maxLength={2000}
            rows={2}
            optional
          />
          <Submit look="plain" name="action" value="words">
            Save
          </Submit>
        </Form>
      </Card>
      <Card title="Items" hint="To add more, select them in the library and add them to this playlist there.">
        <ol class="rows">
          {playlist.images.map((image, index) => (
            <Entry
              key={image.uniqueId}
              image={image}
              path={path}
              cover={image.uniqueId === playlist.cover}
              first={index === 0}
              last={index === playlist.images.length - 1}
            />
          ))}
        </ol>
        <Form action={path} state={items}>
          <Field
            name="id"
            label="Add by ID"
            value={typed(stateOf(state, 'add'), 'id')}
            maxLength={64}
            error={items.errors.id}
            required
            spellcheck={false}
          />
          <Submit look="plain" icon="plus" name="action" value="add">
            Add
          </Submit>
        </Form>
      </Card>
      <Ask
        action={path}
        value="delete"
        label="Delete the playlist"
        lost="This permanently deletes its title, order and link. The items stay in your library."
        sure="Yes, delete the playlist"
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
}: {
  readonly image: ListedImage;
  readonly path: string;
  readonly cover: boolean;
  readonly first: boolean;
  readonly last: boolean;
}) {
  const name = image.originalName ?? image.uniqueId;
  const picture = placeholderUrl(image.thumbhash);
  return (
    <li id={entryAnchor(image.uniqueId)}>
      <span class="what with-thumb">
        <span class="thumb">{picture ? <img src={picture} alt="" /> : <Icon name="file" />}</span>
        <a href={itemPath('image', image.uniqueId)} dir="auto">
          {name}
        </a>
        {cover && <Badge look="good">Cover</Badge>}
      </span>
      <form class="actions" method="post" action={path}>
        <input type="hidden" name="id" value={image.uniqueId} />
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="up"
          disabled={first}
          aria-label={`Move ${name} up`}
        >
          <Icon name="up" />
        </button>
        <button
          type="submit"
          class="button quiet"
          name="action"
          value="down"
          disabled={last}
          aria-label={`Move ${name} down`}
        >
          <Icon name="down" />
        </button>
        {!cover && (
          <button
            type="submit"
            class="button quiet"
            name="action"
            value="cover"
            aria-label={`Make ${name} the cover`}
          >
            <Icon name="image" />
          </button>
        )}
        <button type="submit" class="button quiet" name="action" value="remove" aria-label={`Remove ${name}`}>
          <Icon name="x" />
        </button>
      </form>
    </li>
  );
}
