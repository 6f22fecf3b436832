import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { optionsOf, Select } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { ActionForm, bind, Form, untouched } from '../components/form/form.js';
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
      <ActionForm action="/web/admin/blocks" fields={{ id }} icon="x" value="end">
        {t('End')}
      </ActionForm>
    ),
  },
];

/** Contents that cannot be stored, and networks from which nothing can be created. */
export function BlocksPage({
  site,
  list,
  state = untouched,
}: FormPageProps<{ readonly list: Paged<BlockRecord> }>) {
  const { field } = bind(state);
  return (
    <ListPage
      site={site}
      path="/web/admin/blocks"
      title={t('Blocks')}
      lead={t('Blocked files and networks.')}
      width="wide"
      list={list}
      empty={{ icon: 'shield', title: t('Nothing is blocked') }}
      columns={columns}
      rowKey={({ id }) => id}
    >
      <Card title={t('New block')}>
        <Form action="/web/admin/blocks" state={state}>
          <div class="pair">
            <Select {...field('kind', 'hash')} label={t('What')} options={optionsOf(KINDS)} />
            <Field
              {...field('value')}
              label={t('SHA-256 or network')}
              maxLength={200}
              hint={t('A network is written as 192.0.2.0/24 or 2001:db8::/32.')}
              spellcheck={false}
              autocomplete="off"
              required
            />
            <Field {...field('note')} label={t('Note')} maxLength={500} />
          </div>
          <Submit icon="plus" name="action" value="add">
            {t('Block')}
          </Submit>
        </Form>
      </Card>
    </ListPage>
  );
}
