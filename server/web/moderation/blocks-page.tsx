import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { Form, typed, untouched } from '../components/form/form.js';
import { ListPage } from '../components/list/list-page.js';
import type { Column } from '../components/list/table.js';
import { Card, Person, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { BlockRecord, Paged } from '../records.js';

const KINDS = [
  ['hash', msg('Content (SHA-256)')],
  ['network', msg('Network')],
] as const;

const columns: readonly Column<BlockRecord>[] = [
  {
    head: msg('Blocked'),
    cell: ({ kind, value }) =>
      kind === 'hash' ? t('Content {value}', { value }) : t('Network {value}', { value }),
  },
  { head: msg('Note'), cell: ({ note }) => <span dir="auto">{note ?? '—'}</span> },
  { head: msg('By'), cell: ({ createdBy }) => createdBy && <Person user={createdBy} /> },
  { head: msg('Since'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: msg('End'),
    kind: 'action',
    cell: ({ id }) => (
      <form method="post" action="/web/admin/blocks">
        <input type="hidden" name="id" value={String(id)} />
        <Submit look="quiet" icon="x" name="action" value="end">
          {t('End')}
        </Submit>
      </form>
    ),
  },
];

/** Contents that cannot be stored, and networks from which nothing can be created. */
export function BlocksPage({
  site,
  list,
  state = untouched,
}: FormPageProps<{ readonly list: Paged<BlockRecord> }>) {
  return (
    <ListPage
      site={site}
      path="/web/admin/blocks"
      title={t('Blocks')}
      lead={t('What cannot be stored here, and from where nothing can be created.')}
      width="wide"
      list={list}
      empty={{ icon: 'shield', title: t('Nothing is blocked') }}
      columns={columns}
      rowKey={({ id }) => id}
    >
      <Card title={t('New block')}>
        <Form action="/web/admin/blocks" state={state}>
          <div class="pair">
            <Select
              name="kind"
              label={t('What')}
              value={typed(state, 'kind', 'hash')}
              options={optionsOf(KINDS)}
            />
            <Field
              name="value"
              label={t('SHA-256 or network')}
              value={typed(state, 'value')}
              error={state.errors.value}
              maxLength={200}
              hint={t('A network is written as 192.0.2.0/24 or 2001:db8::/32.')}
              spellcheck={false}
              autocomplete="off"
              required
            />
            <Field
              name="note"
              label={t('Note')}
              value={typed(state, 'note')}
              error={state.errors.note}
              maxLength={500}
              optional
            />
          </div>
          <Submit icon="plus" name="action" value="add">
            {t('Block')}
          </Submit>
        </Form>
      </Card>
    </ListPage>
  );
}
