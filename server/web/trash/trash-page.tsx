import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { LinkButton, Submit } from '../components/button.js';
import { ActionForm, Form } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { ListPage } from '../components/list/list-page.js';
import { AccessSigns, type Row } from '../components/list/rows.js';
import { Page } from '../components/page/page.js';
import { Time } from '../components/parts.js';
import { bareUrl, fileSize } from '../format.js';
import { placeholderUrl } from '../image/placeholder.js';
import { KIND_WORDS } from '../kinds.js';
import type { PageProps } from '../page-props.js';
import type { Paged, TrashedItem } from '../records.js';
import { rich } from '../rich.js';

/** The address of the trash. */
export const TRASH = '/web/trash';

const act = (item: TrashedItem, action: 'restore' | 'remove') => (
  <ActionForm
    action={TRASH}
    fields={{ ids: `${item.kind}/${item.uniqueId}` }}
    icon={action === 'restore' ? 'back' : 'trash'}
    value={action}
  >
    {action === 'restore' ? t('Restore') : t('Delete for good')}
  </ActionForm>
);

const nounOf = ({ kind, type }: TrashedItem): string => {
  if (kind !== 'collection') return translateMessage(KIND_WORDS[kind].noun);
  return type === 'pack' ? t('file pack') : t('collection');
};

const rowOf = (item: TrashedItem): Row => ({
  name: bareUrl(item.title),
  mark: {
    picture: placeholderUrl(item.thumbhash),
    icon: item.kind === 'collection' ? 'album' : KIND_WORDS[item.kind].mark,
    kind: item.kind,
  },
  signs: <AccessSigns {...item} />,
  line: [
    rich('deleted for good {time}', { time: <Time at={item.purgedAt} /> }),
    item.thumbhash === null ? nounOf(item) : null,
    item.size === null ? null : fileSize(item.size),
  ],
  actions: <div class="stays">{act(item, 'restore')}</div>,
  menu: <li>{act(item, 'remove')}</li>,
});

/** What the viewer has deleted and can still restore. */
export function TrashPage({
  site,
  list,
  bytes,
  days,
}: PageProps<{
  readonly list: Paged<TrashedItem>;
  /** What it takes together. */
  readonly bytes: number;
  /** How long items stay. */
  readonly days: number;
}>) {
  return (
    <ListPage
      site={site}
      path={TRASH}
      title={t('Trash')}
      lead={
        days === 0 && list.total === 0
          ? t('This server deletes at once: nothing comes here.')
          : t(
              '{total, plural, one {# item} other {# items}}, {bytes}. Kept for {days, plural, one {# day} other {# days}}, then deleted for good.',
              { total: list.total, bytes: fileSize(bytes), days },
            )
      }
      list={list}
      filter={{}}
      empty={{ icon: 'trash', title: t('The trash is empty') }}
      row={rowOf}
      rowKey={(item) => `${item.kind} ${item.uniqueId}`}
      actions={
        list.total > 0 && (
          <ActionForm action={TRASH} look="danger" icon="trash" value="empty">
            {t('Empty the trash')}
          </ActionForm>
        )
      }
    />
  );
}

/** Asks before everything in the trash is deleted. */
export function EmptyTrashPage({ site }: PageProps) {
  return (
    <Page site={site} title={t('Empty the trash?')} width="narrow">
      <div class="gate-page">
        <Icon name="trash" />
        <h1>{t('Empty the trash?')}</h1>
        <p class="hint">{t('Everything in it is deleted for good. This cannot be undone.')}</p>
        <Form action={TRASH}>
          <input type="hidden" name="confirmed" value="true" />
          <div class="actions">
            <Submit look="danger" icon="trash" name="action" value="empty">
              {t('Empty the trash')}
            </Submit>
            <LinkButton href={TRASH} look="quiet">
              {t('Keep it')}
            </LinkButton>
          </div>
        </Form>
      </div>
    </Page>
  );
}
