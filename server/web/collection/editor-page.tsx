import { t } from '../../../routers/base/language/i18n.js';
import { collectionEditorPath, collectionPath, itemPath, libraryInto, listPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Check } from '../components/form/choices.js';
import { LastDay } from '../components/form/date.js';
import { Amount, Field, TextArea } from '../components/form/field.js';
import { bind, Form, type FormState, stateOf, untouched } from '../components/form/form.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty } from '../components/parts.js';
import { FavouriteButton } from '../edit/favourite.js';
import { NotifyForm } from '../edit/notify.js';
import { fileSize, whetherRestorable } from '../format.js';
import { FILES_ON_PAGE } from '../listing.js';
import { HiddenNotice } from '../moderation/hidden-notice.js';
import type { FormPageProps } from '../page-props.js';
import type { CollectionFile, CollectionRecord, MemberRecord } from '../records.js';
import { ShareButton } from '../share/share-button.js';
import { owns } from '../site.js';
import { Entry } from './entry.js';
import { Members } from './members.js';

/** The page of a collection for its owner and members: its fields and its files in their order and places. */
export function CollectionEditPage({
  site,
  collection,
  members,
  page,
  trashDays,
  state = untouched,
}: FormPageProps<{
  readonly collection: CollectionRecord;
  readonly members: readonly MemberRecord[];
  /** The page of its files that is shown, from 0. */
  readonly page: number;
  readonly trashDays: number;
}>) {
  const pageHref = (at: number) => listPath(collectionEditorPath(collection.uniqueId), { page: at });
  const path = pageHref(page);
  const { items } = collection;
  const list = { items, total: collection.totalFiles, page, pageSize: FILES_ON_PAGE };
  const before = page * FILES_ON_PAGE;
  const title = collection.title || t('A sealed collection');
  const isOwn = ({ uploader }: CollectionFile) => uploader !== null && owns(site.viewer, uploader);
  // Files of others have no page of their own for the viewer.
  const entryPath = (item: CollectionFile) =>
    isOwn(item)
      ? itemPath('image', item.uniqueId)
      : `${collectionPath(collection.uniqueId)}/view/${encodeURIComponent(item.uniqueId)}`;
  const isPack = collection.kind === 'pack';
  const isOwner = collection.role === 'owner';
  const edits = isOwner || collection.role === 'editor';
  return (
    <Page
      site={site}
      title={t('Edit {title}', { title })}
      scripts={['order']}
      into={isPack || collection.sealed ? undefined : { uniqueId: collection.uniqueId, title }}
    >
      <Heading
        title={title}
        lead={`${t('{count, plural, one {# file} other {# files}}', { count: list.total })} · ${fileSize(collection.totalSize)} · ${t('{views, plural, one {# view} other {# views}}', { views: collection.views })}`}
      >
        {!isPack && (
          <LinkButton href={libraryInto(collection.uniqueId)} look="primary" icon="plus">
            {t('Choose from the library')}
          </LinkButton>
        )}
        <LinkButton href={collectionPath(collection.uniqueId)} icon="eye">
          {t('View')}
        </LinkButton>
        {isOwner && <ShareButton kind="collection" uniqueId={collection.uniqueId} />}
        {edits && (
          <LinkButton href="#settings" icon="gear">
            {t('Settings')}
          </LinkButton>
        )}
        {isOwner && (
          <FavouriteButton
            kind="collection"
            uniqueId={collection.uniqueId}
            favourite={collection.favourite}
          />
        )}
      </Heading>
      <HiddenNotice reason={collection.quarantine} />
      {list.total === 0 && <Empty icon="album" title={t('There is nothing here yet')} />}
      <ol class="shelf" data-order={edits} data-before={before} data-total={list.total}>
        {items.map((item, index) => (
          <Entry
            key={item.uniqueId}
            item={item}
            path={path}
            href={entryPath(item)}
            isCover={item.uniqueId === collection.cover}
            orders={edits}
            removes={!isPack && (edits || isOwn(item))}
            first={before + index === 0}
            last={before + index === list.total - 1}
            beside={(items[index + 1] ?? items[index - 1])?.uniqueId ?? ''}
          />
        ))}
      </ol>
      <Pager list={list} href={pageHref} newestFirst={false} />
      {!isPack && <AddForm path={path} state={stateOf(state, 'add')} />}
      <section class="card" id="settings" aria-label={t('Settings')}>
        <div class="columns">
          {edits && (
            <FieldsForm path={path} collection={collection} state={stateOf(state, 'words', 'texts')} />
          )}
          <div class="subject">
            {!isPack && (
              <Members
                path={path}
                members={members}
                isOwner={isOwner}
                offeredTo={collection.offeredTo}
                state={stateOf(state, 'member', 'offer')}
              />
            )}
            {isOwner && (
              <NotifyForm kind="collection" uniqueId={collection.uniqueId} notify={collection.notify} />
            )}
            {isOwner && (
              <Ask
                action={path}
                value="delete"
                label={isPack ? t('Delete the pack') : t('Delete the collection')}
                lost={
                  isPack
                    ? `${t('This deletes the pack with all of its files.')} ${whetherRestorable(trashDays)}`
                    : `${t('This deletes its title, order and links. The files stay in your library.')} ${whetherRestorable(trashDays)}`
                }
                sure={t('Yes, delete it')}
              />
            )}
          </div>
        </div>
      </section>
    </Page>
  );
}

type FormPart = { readonly path: string; readonly state: FormState };

function AddForm({ path, state }: FormPart) {
  const { field } = bind(state);
  return (
    <details class="more" open={state.values.id !== undefined}>
      <summary>{t('Add by ID')}</summary>
      <Form action={path} state={state}>
        <div class="pair">
          <Field
            {...field('id')}
            label={t('ID')}
            hint={t('It is in the address of the file.')}
            maxLength={64}
            required
            spellcheck={false}
          />
          <Field
            {...field('path')}
            label={t('Folder and name')}
            hint={t('For example photos/2026/beach.jpg')}
            maxLength={1000}
          />
        </div>
        <Submit look="plain" icon="plus" name="action" value="add">
          {t('Add')}
        </Submit>
      </Form>
    </details>
  );
}

function FieldsForm({ path, collection, state }: FormPart & { readonly collection: CollectionRecord }) {
  const { field } = bind(state);
  return (
    <section class="subject">
      <h2>{t('Details')}</h2>
      <Form action={path} state={state}>
        <Field {...field('title', collection.title)} label={t('Title')} maxLength={200} required />
        <TextArea
          {...field('description', collection.description)}
          label={t('Description')}
          maxLength={2000}
          rows={2}
        />
        <Field
          {...field('tags', collection.tags.join(', '))}
          label={t('Tags')}
          hint={t('Separated by commas')}
          maxLength={1000}
        />
        {collection.role === 'owner' && <Opening collection={collection} state={state} />}
        <Submit look="plain" name="action" value={collection.role === 'owner' ? 'words' : 'texts'}>
          {t('Save')}
        </Submit>
      </Form>
    </section>
  );
}

/** How it is opened, which its owner decides. */
function Opening({
  collection,
  state,
}: {
  readonly collection: CollectionRecord;
  readonly state: FormState;
}) {
  const { field, box } = bind(state);
  return (
    <>
      <div class="pair">
        <Field
          {...field('password')}
          type="password"
          label={t('New password')}
          hint={collection.requiresPassword ? t('It has one; leave this empty to keep it.') : null}
          autocomplete="new-password"
        />
        <LastDay {...field('expiresAt', collection.expiresAt)} label={t('Expires on')} />
        <Amount {...field('maxViews', collection.maxViews)} label={t('View limit')} />
      </div>
      {collection.requiresPassword && <Check {...box('unlocked')} label={t('Remove the password')} />}
      <Check
        {...box('private', !collection.isPublic)}
        label={t('Only by share link')}
        hint={t('Its own address opens it for you and its members alone.')}
      />
    </>
  );
}
