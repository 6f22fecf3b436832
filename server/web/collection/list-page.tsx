import { t } from '../../../routers/base/language/i18n.js';
import { collectionEditorPath, collectionPath } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field, TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Listing } from '../components/list/listing.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { Paged } from '../records.js';
import { mayMake } from '../site.js';

/** A collection in a list. */
export interface CollectionEntry {
  readonly uniqueId: string;
  readonly title: string;
  readonly kind: 'collection' | 'playlist' | 'pack';
  readonly isPublic: boolean;
  readonly requiresPassword: boolean;
  readonly totalFiles: number;
  readonly totalSize: number;
  readonly views: number;
  readonly createdAt: string;
}

/** The collections of a user, and a form for a new one. */
export function CollectionsPage({
  site,
  list,
  state = untouched,
}: FormPageProps<{ readonly list: Paged<CollectionEntry> }>) {
  const { field, box } = bind(state);
  return (
    <Page site={site} title={t('Collections')}>
      <Heading
        title={t('Collections')}
        lead={t('Any files in folders under one link, with share links that you can revoke one by one.')}
      />
      <Listing
        path="/web/collections"
        list={list}
        empty={{ icon: 'archive', title: t('No collections yet') }}
      >
        <ul class="rows">
          {list.items.map((entry) => (
            <li key={entry.uniqueId}>
              <span class="what">
                <a href={collectionEditorPath(entry.uniqueId)} dir="auto">
                  {entry.title}
                </a>{' '}
                {entry.kind === 'pack' && <Badge>{t('file pack')}</Badge>}{' '}
                {(!entry.isPublic || entry.requiresPassword) && <Icon name="lock" />}
                <br />
                <span class="hint">
                  {t('{totalFiles, plural, one {# file} other {# files}}', { totalFiles: entry.totalFiles })}{' '}
                  · {fileSize(entry.totalSize)} ·{' '}
                  {t('{views, plural, one {# view} other {# views}}', { views: entry.views })} ·{' '}
                  <Time at={entry.createdAt} />
                </span>
              </span>
              <span class="actions">
                <CopyButton text={`${site.origin}${collectionPath(entry.uniqueId)}`} look="quiet">
                  {t('Copy link')}
                </CopyButton>
                <LinkButton href={collectionPath(entry.uniqueId)} look="quiet" icon="eye">
                  {t('View')}
                </LinkButton>
              </span>
            </li>
          ))}
        </ul>
      </Listing>
      {mayMake(site.viewer) && (
        <Card title={t('New collection')}>
          <Form action="/web/collections" state={state}>
            <Field {...field('title')} label={t('Title')} maxLength={200} required />
            <TextArea {...field('description')} label={t('Description')} maxLength={2000} rows={2} optional />
            <Check
              {...box('private', true)}
              label={t('Only by share link')}
              hint={t('Its own address opens it for you alone.')}
            />
            <Submit icon="plus">{t('Create')}</Submit>
          </Form>
        </Card>
      )}
    </Page>
  );
}
