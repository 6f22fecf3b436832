import { editorPath, playlistPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field, TextArea } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import { Listing } from '../components/list/listing.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged } from '../records.js';
import { mayMake } from '../site.js';

/** A playlist in a list, with the number of its items only. */
export interface PlaylistEntry {
  readonly uniqueId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly size: number;
}

/** The playlists of a user, and a form for a new one. */
export function PlaylistsPage({
  site,
  list,
  state = untouched,
}: FormPageProps<{
  readonly list: Paged<PlaylistEntry>;
}>) {
  return (
    <Page site={site} title="Playlists">
      <Heading title="Playlists" lead="Images and videos that belong together, under one link." />
      <Listing path="/web/playlists" list={list} empty={{ icon: 'playlist', title: 'No playlists yet' }}>
        <ul class="rows">
          {list.items.map((playlist) => (
            <li key={playlist.uniqueId}>
              <span class="what">
                <a href={editorPath(playlist.uniqueId)} dir="auto">
                  {playlist.title}
                </a>
                <br />
                <span class="hint">
                  {plural(playlist.size, 'item')} · <Time at={playlist.createdAt} />
                </span>
              </span>
              <LinkButton href={playlistPath(playlist.uniqueId)} look="quiet" icon="eye">
                View
              </LinkButton>
            </li>
          ))}
        </ul>
      </Listing>
      {mayMake(site.viewer) && (
        <Card title="New playlist">
          <Form action="/web/playlists" state={state}>
            <Field
              name="title"
              label="Title"
              value={state.values.title ?? null}
              error={state.errors.title}
              maxLength={200}
              required
            />
            <TextArea
              name="description"
              label="Description"
              value={state.values.description ?? null}
              maxLength={2000}
              rows={2}
              optional
            />
            <Submit icon="plus">Create</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
