import { t } from '../../../routers/base/language/i18n.js';
import { editorPath, playlistPath } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Form, untouched } from '../components/form/form.js';
import { Listing } from '../components/list/listing.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged } from '../records.js';
import { mayMake } from '../site.js';
import { Words } from './words.js';

/** A playlist in a list, with the number of its items only. */
export interface PlaylistEntry {
  readonly uniqueId: string;
  readonly title: string;
  readonly createdAt: string;
  readonly size: number;
  readonly views: number;
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
    <Page site={site} title={t('Playlists')}>
      <Heading title={t('Playlists')} lead={t('Images and videos that belong together, under one link.')} />
      <Listing path="/web/playlists" list={list} empty={{ icon: 'playlist', title: t('No playlists yet') }}>
        <ul class="rows">
          {list.items.map((playlist) => (
            <li key={playlist.uniqueId}>
              <span class="what">
                <a href={editorPath(playlist.uniqueId)} dir="auto">
                  {playlist.title}
                </a>
                <br />
                <span class="hint">
                  {t('{size, plural, one {# item} other {# items}}', { size: playlist.size })} ·{' '}
                  {t('{views, plural, one {# view} other {# views}}', { views: playlist.views })} ·{' '}
                  <Time at={playlist.createdAt} />
                </span>
              </span>
              <span class="actions">
                <CopyButton text={`${site.origin}${playlistPath(playlist.uniqueId)}`} look="quiet">
                  {t('Copy link')}
                </CopyButton>
                <LinkButton href={playlistPath(playlist.uniqueId)} look="quiet" icon="eye">
                  {t('View')}
                </LinkButton>
              </span>
            </li>
          ))}
        </ul>
      </Listing>
      {mayMake(site.viewer) && (
        <Card title={t('New playlist')}>
          <Form action="/web/playlists" state={state}>
            <Words state={state} />
            <Submit icon="plus">{t('Create')}</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
