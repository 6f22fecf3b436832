import { msg, msgc, t } from '../../../routers/base/language/i18n.js';
import { itemPath, revisionsPath, withQuery } from '../address.js';
import { LinkButton } from '../components/button.js';
import { ActionForm } from '../components/form/form.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Card, Person, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Paged, PasteRevision } from '../records.js';

/** What a paste was: its revisions, and what one of them changed. */
export function RevisionsPage({
  site,
  uniqueId,
  list,
  diff,
  mayRestore,
}: PageProps<{
  readonly uniqueId: string;
  readonly list: Paged<PasteRevision>;
  /** The revision whose change is shown, and that change as a unified diff. */
  readonly diff: { readonly revision: number; readonly text: string } | null;
  /** The viewer is its owner. */
  readonly mayRestore: boolean;
}>) {
  const newest = list.page === 0 ? list.items[0]?.revision : undefined;
  const path = revisionsPath(uniqueId);
  const columns: readonly Column<PasteRevision>[] = [
    { head: msg('Revision'), kind: 'number', cell: ({ revision }) => revision },
    { head: msg('Written'), cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: msg('By'), cell: ({ author }) => <Person user={author} /> },
    {
      head: msg('Title'),
      kind: 'long',
      title: ({ title }) => title,
      cell: ({ title }) => <span dir="auto">{title}</span>,
    },
    { head: msg('Size'), kind: 'number', cell: ({ size }) => fileSize(size) },
    {
      head: msgc('noun', 'Change'),
      kind: 'action',
      cell: ({ revision }) => (
        <LinkButton look="quiet" href={`${withQuery(path, { show: String(revision) })}#diff`}>
          {t('Changes')}
        </LinkButton>
      ),
    },
    {
      head: msg('Restore'),
      kind: 'action',
      cell: ({ revision }) =>
        mayRestore &&
        revision !== newest && (
          <ActionForm action={path} fields={{ revision }} icon="back">
            {t('Restore')}
          </ActionForm>
        ),
    },
  ];
  return (
    <ListPage
      site={site}
      path={path}
      title={t('Revisions')}
      lead={t('{total, plural, one {# revision} other {# revisions}}', { total: list.total })}
      width="wide"
      list={list}
      filter={{}}
      empty={{ icon: 'scroll', title: t('No revisions') }}
      columns={columns}
      rowKey={({ revision }) => revision}
      actions={
        <LinkButton href={itemPath('paste', uniqueId)} icon="paste">
          {t('The paste')}
        </LinkButton>
      }
    >
      {diff !== null && (
        <div id="diff">
          <Card title={t('Changes of revision {revision}', { revision: diff.revision })}>
            <section
              class="code"
              aria-label={t('Changes of revision {revision}', { revision: diff.revision })}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
              tabIndex={0}
            >
              <pre>
                <code>{diff.text}</code>
              </pre>
            </section>
          </Card>
        </div>
      )}
    </ListPage>
  );
}
